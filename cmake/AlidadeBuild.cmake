# SPDX-License-Identifier: GPL-3.0-or-later
# How everything is compiled: language level, warnings, sanitizers, ccache, linker. One place, global on purpose, so
# that precompiled headers can be shared between targets.
include_guard(GLOBAL)

option(ALIDADE_TESTS "Build the tests" ON)
option(ALIDADE_PCH "Precompile the heavy headers" ON)
option(ALIDADE_WERROR "Treat warnings as errors" ON)
option(ALIDADE_FUZZ "Build the libFuzzer targets (clang only)" OFF)
option(ALIDADE_COVERAGE "Instrument for line coverage" OFF)
set(ALIDADE_SANITIZE "" CACHE STRING "Sanitizers, comma separated: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Libraries and executables get the same code model, or they could not share a precompiled header.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE "-fPIC")
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_GLOBAL_AUTOGEN_TARGET ON) # what clang-tidy needs before it can read a file that includes its moc
set_property(GLOBAL PROPERTY USE_FOLDERS ON)

add_compile_definitions(QT_NO_KEYWORDS) # "signals" and "slots" are words of ours: write Q_SIGNALS, Q_SLOTS, Q_EMIT
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(ALIDADE_WERROR)
    add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ALIDADE_PCH)
    add_compile_options(-fpch-preprocess) # ccache needs it
endif()

if(ALIDADE_SANITIZE)
    add_compile_options(-fsanitize=${ALIDADE_SANITIZE} -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-Wno-stringop-overflow) # GCC 12 sees overflows in what the sanitizers insert
    endif()
    add_link_options(-fsanitize=${ALIDADE_SANITIZE})
    if(ALIDADE_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
    if(ALIDADE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-Wno-tsan) # the standard library's fences, which are not ours
    endif()
endif()
if(ALIDADE_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(ALIDADE_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()

find_program(ALIDADE_CCACHE ccache)
if(ALIDADE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${ALIDADE_CCACHE}")
    if(NOT DEFINED ENV{CCACHE_SLOPPINESS}) # without it nothing that uses a precompiled header is found again
        list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
             CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
    endif()
endif()
find_program(ALIDADE_LLD ld.lld)
if(ALIDADE_LLD)
    add_link_options(-fuse-ld=lld)
endif()
