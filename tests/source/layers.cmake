# Includes point downward only: what a user names, then host, kernel, block, arch; and all are of the form <gemm/...>,
# which the CPU device's include path relies on.
set(_order arch block kernel host) # from below
file(GLOB_RECURSE _files RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/include/gemm/*.hpp" "${SOURCE_DIR}/include/gemm/*.cuh")
# Headers of the first level that layers may use: they name no layer themselves, or are checked below to name only
# lower ones.
foreach(_file IN LISTS _files)
  file(STRINGS "${SOURCE_DIR}/${_file}" _includes REGEX "^#include ")
  string(REGEX MATCH "^include/gemm/([a-z]+)/" _ "${_file}")
  set(_layer "${CMAKE_MATCH_1}")
  list(FIND _order "${_layer}" _level)
  foreach(_include IN LISTS _includes)
    if(_include MATCHES "\"")
      message(SEND_ERROR "  ${_file} includes ${_include}: write <gemm/...>")
    elseif(_include MATCHES "<(gemm/([a-z]+)/[^>]*)>")
      set(_included "${CMAKE_MATCH_1}")
      set(_included_layer "${CMAKE_MATCH_2}")
      list(FIND _order "${_included_layer}" _included_level)
      if(_layer AND _included_level GREATER _level)
        message(SEND_ERROR "  ${_file} includes ${_included}: ${_layer} is below ${_included_layer}")
      endif()
    elseif(_layer AND _include MATCHES "<gemm/(run|policies|gemm)[.]")
      if(NOT (_layer STREQUAL "host" AND _include MATCHES "policies"))
        message(SEND_ERROR "  ${_file} includes ${_include}: ${_layer} is below it")
      endif()
    endif()
  endforeach()
endforeach()
