# SPDX-License-Identifier: Apache-2.0
# find_package(Plumbline): the tool for tests, and the libraries. Everything is found from this file, so the tree may be moved.
#
#   plumb_add_test(NAME queue FILES queue_harness.c TEST "enq(1) deq | enq(2) deq")    # plumb check
#   plumb_add_test(NAME queue_all MODE auto FILES queue_harness.c OPTIONS --size 2x2)
#   plumb_add_test(NAME queue_threads MODE stress FILES queue_harness.c OPTIONS --time 5)
#   target_link_libraries(bench PRIVATE Plumbline::record)                             # plumb/record.h
#   target_link_libraries(watcher PRIVATE Plumbline::monitor)                          # plumb/monitor.h
get_filename_component(PLUMBLINE_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(PLUMBLINE_PLUMB plumb PATHS "${PLUMBLINE_PREFIX}/bin" NO_DEFAULT_PATH REQUIRED)

if(NOT TARGET Plumbline::record)
  find_package(Threads REQUIRED)
  add_library(Plumbline::record STATIC IMPORTED)
  set_target_properties(Plumbline::record PROPERTIES
    IMPORTED_LOCATION "${PLUMBLINE_PREFIX}/lib/libplumb-record.a"
    INTERFACE_INCLUDE_DIRECTORIES "${PLUMBLINE_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES Threads::Threads)
  add_library(Plumbline::monitor SHARED IMPORTED)
  set_target_properties(Plumbline::monitor PROPERTIES
    IMPORTED_LOCATION "${PLUMBLINE_PREFIX}/lib/libplumb-monitor.so"
    INTERFACE_INCLUDE_DIRECTORIES "${PLUMBLINE_PREFIX}/include")
endif()

# plumb_add_test(NAME name FILES file... [TEST text] [MODE auto|check|stress] [OPTIONS option...] [FLAGS flag...] [TIMEOUT seconds])
# A test of ctest that passes when plumb says *holds*. FLAGS are for the compiler; include directories of a target go there, too.
function(plumb_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TEST;MODE;TIMEOUT" "FILES;OPTIONS;FLAGS")
  if(NOT test_NAME OR NOT test_FILES OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "plumb_add_test(NAME name FILES file... [TEST text] [MODE auto|check|stress] [OPTIONS option...] [FLAGS flag...] "
      "[TIMEOUT seconds]): ${test_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT test_MODE)
    set(test_MODE check)
  elseif(NOT test_MODE MATCHES "^(auto|check|stress)$")
    message(FATAL_ERROR "plumb_add_test(${test_NAME}): MODE is auto, check or stress, not ${test_MODE}")
  endif()
  if(test_TEST)
    list(PREPEND test_OPTIONS --test "${test_TEST}")
  endif()
  if(test_FLAGS)
    list(PREPEND test_FLAGS --)
  endif()
  add_test(NAME ${test_NAME}
    COMMAND "${PLUMBLINE_PLUMB}" ${test_MODE} ${test_FILES} --color never --out "${CMAKE_CURRENT_BINARY_DIR}" ${test_OPTIONS} ${test_FLAGS}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  if(test_TIMEOUT)
    set_tests_properties(${test_NAME} PROPERTIES TIMEOUT ${test_TIMEOUT})
  endif()
endfunction()
