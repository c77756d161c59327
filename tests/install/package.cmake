# cmake -DPACKAGE_FILE=<GemmPackage.cmake> -DBUILD_DIR=<folder> -P package.cmake
#
# What is neither installed nor in apt's suites comes from its git repository, or there is one sentence that says so.
find_program(_git git REQUIRED)
file(REMOVE_RECURSE "${BUILD_DIR}")
set(_stub "${BUILD_DIR}/gemm_stub")
file(WRITE "${_stub}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(gemm_stub LANGUAGES NONE)
option(GEMM_STUB_EXTRAS "What is not wanted" ON)
if(GEMM_STUB_EXTRAS)
  message(FATAL_ERROR "the option is on")
endif()
add_library(gemm_stub INTERFACE)
]])
foreach(_arguments IN ITEMS "init;--quiet" "add;." "-c;user.name=test;-c;user.email=test@example.com;commit;-qm;Stub"
    "tag;v1.0")
  execute_process(COMMAND "${_git}" ${_arguments} WORKING_DIRECTORY "${_stub}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

function(configure name url)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/package" -B "${BUILD_DIR}/${name}"
      "-DPACKAGE_FILE=${PACKAGE_FILE}" "-DURL=${url}" ${ARGN}
    RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
  set(result ${_result} PARENT_SCOPE)
  set(output "${_output}" PARENT_SCOPE)
endfunction()

foreach(_time IN ITEMS first second)
  configure(cloned "file://${_stub}")
  if(NOT result EQUAL 0)
    message(SEND_ERROR "  the ${_time} time from a repository:\n${output}")
  endif()
endforeach()
configure(given "file://${BUILD_DIR}/nowhere" "-DFETCHCONTENT_SOURCE_DIR_GEMM_STUB=${_stub}")
if(NOT result EQUAL 0)
  message(SEND_ERROR "  from sources that are named:\n${output}")
endif()

configure(nowhere "file://${BUILD_DIR}/nowhere")
string(REGEX REPLACE "[ \n]+" " " output "${output}") # messages are wrapped
string(REGEX MATCHALL "CMake Error" _errors "${output}")
list(LENGTH _errors _count)
if(result EQUAL 0 OR NOT _count EQUAL 1 OR NOT output MATCHES
    "gemm: gemm_stub 1 is not installed, not in this machine's apt sources .* and not to be had from file://")
  message(SEND_ERROR "  from nowhere there must be one sentence, not:\n${output}")
endif()
