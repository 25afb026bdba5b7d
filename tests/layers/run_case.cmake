# SPDX-License-Identifier: GPL-3.0-or-later
# Lays violations/NAME over the small project, then goes through configure, build, link, headers and lint. The STAGE named
# must refuse with a message that matches EXPECT, and everything before it must pass ("none": everything passes).
set(here "${ALIDADE_SOURCE}/tests/layers")
file(REMOVE_RECURSE "${WORK}")
file(COPY "${here}/project/" DESTINATION "${WORK}/source")
if(NOT NAME STREQUAL "none")
    # Not file(COPY): it leaves a file alone whose time stamp is the same.
    execute_process(COMMAND "${CMAKE_COMMAND}" -E copy_directory "${here}/violations/${NAME}" "${WORK}/source"
                    COMMAND_ERROR_IS_FATAL ANY)
endif()

function(stage name)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE said
                    ERROR_VARIABLE said)
    if(STAGE STREQUAL name)
        if(NOT failed)
            message(FATAL_ERROR "stage '${name}' accepts the violation '${NAME}'")
        endif()
        string(REGEX REPLACE "[ \n]+" " " flat "${said}")
        if(NOT flat MATCHES "${EXPECT}")
            message(FATAL_ERROR "stage '${name}' refuses, but not because of '${EXPECT}':\n${said}")
        endif()
        message(STATUS "refused by '${name}': ${CMAKE_MATCH_0}")
        set(refused TRUE PARENT_SCOPE)
    elseif(failed)
        message(FATAL_ERROR "stage '${name}' fails, and '${STAGE}' should have:\n${said}")
    endif()
endfunction()

set(refused FALSE)
set(build "${WORK}/build")
stage(configure "${CMAKE_COMMAND}" -G Ninja -S "${WORK}/source" -B "${build}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
      "-DALIDADE_SOURCE=${ALIDADE_SOURCE}" -DCMAKE_CXX_COMPILER_WORKS=ON)
if(NOT refused)
    stage(build "${CMAKE_COMMAND}" --build "${build}" --target layers)
endif()
if(NOT refused)
    stage(link "${CMAKE_COMMAND}" --build "${build}" --target all)
endif()
if(NOT refused)
    stage(headers "${CMAKE_COMMAND}" --build "${build}" --target all_verify_interface_header_sets)
endif()
if(NOT refused)
    stage(lint "${CMAKE_COMMAND}" "-DROOT=${WORK}/source" "-DEDGE_TABLE=${WORK}/source/layers.cmake"
          "-DQT_HEADERS=${QT_HEADERS}" -P "${ALIDADE_SOURCE}/tests/lint/includes.cmake")
endif()
file(REMOVE_RECURSE "${WORK}")
if(NOT refused AND NOT STAGE STREQUAL "none")
    message(FATAL_ERROR "nothing refused the violation '${NAME}'")
endif()
