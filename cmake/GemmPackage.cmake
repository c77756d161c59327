# gemm_require(<package> <version> DEBS <deb>... SUITES <release|backports>...)
#
# Finds a package that is installed, or else gets the distribution's own from the mirror that this machine is set up
# for, into the build tree: no root, no change to the system, signatures checked by apt as always.
macro(gemm_require package version)
  cmake_parse_arguments(_gemm_require "" "" "DEBS;SUITES" ${ARGN})
  find_package(${package} ${version} CONFIG QUIET)
  set(_gemm_require_prefix "${PROJECT_BINARY_DIR}/debs/${package}")
  set(_gemm_require_log "${PROJECT_BINARY_DIR}/debs/${package}.log")
  foreach(_gemm_require_suite IN LISTS _gemm_require_SUITES)
    if(NOT ${package}_FOUND)
      message(STATUS "gemm: ${package} ${version} is not installed; "
        "fetching ${_gemm_require_DEBS} (${_gemm_require_suite})")
      file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/debs")
      execute_process(
        COMMAND "${PROJECT_SOURCE_DIR}/cmake/fetch_debs.sh" "${PROJECT_BINARY_DIR}/debs/apt"
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
    message(FATAL_ERROR "gemm: ${package} ${version} is neither installed nor to be had from this machine's apt "
      "sources (log: ${_gemm_require_log}). Install it, or configure again with -D${package}_ROOT=<prefix>.")
  endif()
  message(STATUS "gemm: ${package} ${${package}_VERSION} from ${${package}_DIR}")
endmacro()
