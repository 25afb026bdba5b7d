# SPDX-License-Identifier: GPL-3.0-or-later
# No dynamic dependency of PROGRAM matches FORBIDDEN.
execute_process(COMMAND "${READELF}" -d "${PROGRAM}" OUTPUT_VARIABLE dynamic RESULT_VARIABLE failed)
if(failed OR NOT dynamic MATCHES "NEEDED")
    message(FATAL_ERROR "readelf says nothing about ${PROGRAM}")
endif()
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${dynamic}")
list(FILTER needed INCLUDE REGEX "${FORBIDDEN}")
if(needed)
    message(FATAL_ERROR "${PROGRAM} needs ${needed}")
endif()
