# gemm_require(<package> <version> DEBS <deb>... SUITES <release|backports>... GIT <url> TAG <tag> [WITHOUT <option>...])
#
# Finds a package that is installed, or else gets the distribution's own from the mirror that this machine is set up
# for, into the build tree: no root, no change to the system, signatures checked by apt as always. Where apt has none,
# the project's own sources become part of the build, with the options named turned off.
include(FetchContent)
find_package(Git QUIET)
set(_gemm_fetch_debs "${CMAKE_CURRENT_LIST_DIR}/fetch_debs.sh")

macro(gemm_require package version)
  cmake_parse_arguments(_gemm_require "" "GIT;TAG" "DEBS;SUITES;WITHOUT" ${ARGN})
  find_package(${package} ${version} CONFIG QUIET)
  set(_gemm_require_prefix "${PROJECT_BINARY_DIR}/debs/${package}")
  set(_gemm_require_log "${PROJECT_BINARY_DIR}/debs/${package}.log")
  string(TOUPPER "${package}" _gemm_require_upper)
  foreach(_gemm_require_suite IN LISTS _gemm_require_SUITES)
    if(NOT ${package}_FOUND AND NOT FETCHCONTENT_SOURCE_DIR_${_gemm_require_upper})
      message(STATUS "gemm: ${package} ${version} is not installed; "
        "fetching ${_gemm_require_DEBS} (${_gemm_require_suite})")
      file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/debs")
      execute_process(
        COMMAND "${_gemm_fetch_debs}" "${PROJECT_BINARY_DIR}/debs/apt"
          "${_gemm_require_prefix}" "${_gemm_require_suite}" ${_gemm_require_DEBS}
        RESULT_VARIABLE _gemm_require_result
        OUTPUT_FILE "${_gemm_require_log}" ERROR_FILE "${_gemm_require_log}")
      if(_gemm_require_result EQUAL 0)
        unset(${package}_DIR CACHE)
        find_package(${package} ${version} CONFIG QUIET PATHS "${_gemm_require_prefix}/usr" NO_DEFAULT_PATH)
      endif()
    endif()
  endforeach()
  if(NOT ${package}_FOUND)
    gemm_require_sources(${package} ${version})
    unset(${package}_DIR CACHE)
    find_package(${package} ${version} CONFIG QUIET REQUIRED) # as FetchContent redirects it
    string(TOLOWER "${package}" _gemm_require_lower)
    list(APPEND CMAKE_MODULE_PATH "${${_gemm_require_lower}_SOURCE_DIR}/extras") # of Catch2
    message(STATUS "gemm: ${package} ${_gemm_require_TAG} from ${${_gemm_require_lower}_SOURCE_DIR}")
  else()
    message(STATUS "gemm: ${package} ${${package}_VERSION} from ${${package}_DIR}")
  endif()
endmacro()

# Declares the package's sources, if they can be had: FetchContent's own failure is a page long.
function(gemm_require_sources package version)
  if(NOT FETCHCONTENT_SOURCE_DIR_${_gemm_require_upper} AND NOT FETCHCONTENT_FULLY_DISCONNECTED)
    set(_result 1)
    if(GIT_FOUND)
      message(STATUS "gemm: ${package} ${version} is in no suite of apt's; asking ${_gemm_require_GIT}")
      execute_process(
        COMMAND ${CMAKE_COMMAND} -E env GIT_TERMINAL_PROMPT=0
          "${GIT_EXECUTABLE}" ls-remote --exit-code --tags "${_gemm_require_GIT}" "${_gemm_require_TAG}"
        RESULT_VARIABLE _result TIMEOUT 60 OUTPUT_QUIET ERROR_QUIET)
    endif()
    if(NOT _result EQUAL 0)
      message(FATAL_ERROR "gemm: ${package} ${version} is not installed, not in this machine's apt sources (log: "
        "${_gemm_require_log}) and not to be had from ${_gemm_require_GIT}. Install it, or configure again with "
        "-D${package}_ROOT=<prefix>.")
    endif()
  endif()
  foreach(_option IN LISTS _gemm_require_WITHOUT)
    set(${_option} OFF CACHE BOOL "Of ${package}'s")
  endforeach()
  FetchContent_Declare(${package} GIT_REPOSITORY "${_gemm_require_GIT}" GIT_TAG "${_gemm_require_TAG}" GIT_SHALLOW TRUE
    SYSTEM OVERRIDE_FIND_PACKAGE)
endfunction()

# NCCL, of the CUDA Toolkit, a distribution or the Python package, whose folder is NCCL_ROOT: GEMM_NCCL_INCLUDE_DIR and
# GEMM_NCCL_LIBRARY, or what is false. It is optional.
function(gemm_find_nccl)
  find_path(GEMM_NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT} ENV NCCL_ROOT PATH_SUFFIXES include)
  find_library(GEMM_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT} ENV NCCL_ROOT PATH_SUFFIXES lib)
  mark_as_advanced(GEMM_NCCL_INCLUDE_DIR GEMM_NCCL_LIBRARY)
endfunction()
