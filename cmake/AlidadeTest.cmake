# SPDX-License-Identifier: GPL-3.0-or-later
# How tests join:
#
#   alidade_test(<name> SOURCES <files...> LINK <targets...> [QT] [LABELS <labels...>] [ENV <K=V...>] [TIMEOUT <s>]
#                [SERIAL] [FIXTURE <name>])
#       GoogleTest executable, each test its own ctest entry. QT gives it the shared main that owns the application
#       object, runs offscreen in a private home, and fails a test on any Qt warning it did not expect.
#       SERIAL runs its entries alone (timing, a display); FIXTURE between what sets that one up and takes it down.
#   alidade_bench(<name> SOURCES <files...> LINK <targets...> [QT] [ENV <K=V...>] [TIMEOUT <s>])
#       Google Benchmark executable, which holds its measurements against tests/bench/budgets ("<name>/<benchmark> ...");
#       ctest runs it under the label bench.
#   alidade_fuzz(<name> SOURCES <files...> LINK <targets...> CORPUS <folder> [DICT <file>])
#       Defines LLVMFuzzerTestOneInput. Every preset replays the corpus (label fuzz-replay); the fuzz preset also builds
#       the libFuzzer executable.
include_guard(GLOBAL)
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS Test)

set(ALIDADE_TEST_SUPPORT "${CMAKE_CURRENT_LIST_DIR}/../tests/support")
add_custom_target(tsan_tests) # what the thread sanitizer judges: every test with the label tsan

function(alidade_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "QT;SERIAL" "TIMEOUT;FIXTURE" "SOURCES;LINK;LABELS;ENV")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "alidade_test(${name}): unexpected '${arg_UNPARSED_ARGUMENTS}'")
    endif()
    # Its kind (the folder below tests/) is a label too: packaging/test sees by it that every kind there is has run.
    file(RELATIVE_PATH kind "${CMAKE_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
    string(REGEX REPLACE "/.*" "" kind "${kind}")
    list(APPEND arg_LABELS ${kind})
    add_executable(${name} ${arg_SOURCES})
    target_include_directories(${name} PRIVATE "${ALIDADE_TEST_SUPPORT}")
    target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest)
    if(arg_QT)
        target_sources(${name} PRIVATE "${ALIDADE_TEST_SUPPORT}/qt_test_main.cpp"
                       "${ALIDADE_TEST_SUPPORT}/qt_warnings.cpp")
        target_link_libraries(${name} PRIVATE Qt6::Core)
        set_target_properties(${name} PROPERTIES AUTOMOC ON)
    else()
        target_link_libraries(${name} PRIVATE GTest::gmock_main)
    endif()
    alidade_precompile(${name} OFF)
    if("tsan" IN_LIST arg_LABELS)
        add_dependencies(tsan_tests ${name})
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 60)
    endif()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX "${name}."
                         WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    # gtest_discover_tests(PROPERTIES) cannot carry lists to PRE_TEST discovery; a file that ctest reads after it can.
    if(NOT arg_SERIAL)
        set(arg_SERIAL OFF)
    endif()
    set(properties "${CMAKE_CURRENT_BINARY_DIR}/${name}_properties.cmake")
    string(CONFIGURE [[
foreach(test IN LISTS @name@_TESTS)
    set_tests_properties("${test}" PROPERTIES TIMEOUT @arg_TIMEOUT@ RUN_SERIAL @arg_SERIAL@
                         LABELS "@arg_LABELS@" ENVIRONMENT "@arg_ENV@" FIXTURES_REQUIRED "@arg_FIXTURE@")
endforeach()
]] content @ONLY)
    file(GENERATE OUTPUT "${properties}" CONTENT "${content}") # ENV may hold generator expressions
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${properties}")
endfunction()

function(alidade_bench name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "QT" "TIMEOUT" "SOURCES;LINK;ENV")
    add_executable(${name} ${arg_SOURCES} "${ALIDADE_TEST_SUPPORT}/bench_main.cpp")
    target_include_directories(${name} PRIVATE "${ALIDADE_TEST_SUPPORT}")
    target_compile_definitions(${name} PRIVATE "ALIDADE_BUDGETS=\"${CMAKE_SOURCE_DIR}/tests/bench/budgets\""
                               "ALIDADE_BENCH_NAME=\"${name}\"")
    target_link_libraries(${name} PRIVATE ${arg_LINK} benchmark::benchmark)
    if(arg_QT)
        set_target_properties(${name} PROPERTIES AUTOMOC ON)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS bench TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ON
                         WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" ENVIRONMENT "${arg_ENV}")
endfunction()

function(alidade_fuzz name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORPUS;DICT" "SOURCES;LINK")
    cmake_path(ABSOLUTE_PATH arg_CORPUS BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    add_executable(${name}_replay ${arg_SOURCES} "${ALIDADE_TEST_SUPPORT}/fuzz_replay_main.cpp")
    target_link_libraries(${name}_replay PRIVATE ${arg_LINK})
    add_test(NAME ${name}_replay COMMAND ${name}_replay "${arg_CORPUS}")
    set_tests_properties(${name}_replay PROPERTIES LABELS "fuzz-replay;fuzz" TIMEOUT 120)
    if(ALIDADE_FUZZ)
        add_executable(${name} ${arg_SOURCES})
        target_link_libraries(${name} PRIVATE ${arg_LINK})
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        if(arg_DICT)
            cmake_path(ABSOLUTE_PATH arg_DICT BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
        endif()
        set_property(GLOBAL APPEND_STRING PROPERTY ALIDADE_FUZZERS "${name} ${arg_CORPUS} ${arg_DICT}\n")
    endif()
endfunction()
