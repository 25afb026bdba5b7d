# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles SOURCE as it is (must succeed) and with ALIDADE_VIOLATION (must fail with a diagnostic that matches EXPECT).
string(REPLACE "|" ";" includes "${INCLUDES}")
list(REMOVE_ITEM includes "" /usr/include)
list(REMOVE_DUPLICATES includes)
list(TRANSFORM includes PREPEND "-I")
set(command "${COMPILER}" -std=c++20 -fPIC -Wall -Wextra -Wpedantic ${includes} -S -o /dev/null "${SOURCE}")

execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${command} RESULT_VARIABLE twin OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT twin EQUAL 0)
    message(FATAL_ERROR "the lawful twin does not compile, so the case proves nothing:\n${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${command} -DALIDADE_VIOLATION
                RESULT_VARIABLE violation OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(violation EQUAL 0)
    message(FATAL_ERROR "the violation compiles")
endif()
if(NOT said MATCHES "error: [^\n]*(${EXPECT})")
    message(FATAL_ERROR "the violation fails, but not because of '${EXPECT}':\n${said}")
endif()
string(REGEX MATCH "error: [^\n]*(${EXPECT})[^\n]*" line "${said}")
message(STATUS "refused: ${line}")
