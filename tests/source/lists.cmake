# Every named policy is tested and measured: the lists of the tests and of the benchmarks name all that the headers
# *policies.cuh do.
file(GLOB _headers "${SOURCE_DIR}/include/gemm/*policies.cuh")
set(_lines)
foreach(_header IN LISTS _headers)
  file(STRINGS "${_header}" _more REGEX "^struct [a-z0-9_]+[0-9]x[0-9][a-z0-9_]* : ")
  list(APPEND _lines ${_more})
endforeach()
foreach(_list IN ITEMS tests/policies/policies.hpp bench/policies/policies.hpp)
  file(READ "${SOURCE_DIR}/${_list}" _text)
  foreach(_line IN LISTS _lines)
    if(_line MATCHES "^struct ([a-z0-9_]+) : ") # else what came after a semicolon
      set(_policy "${CMAKE_MATCH_1}")
      if(NOT _text MATCHES "gemm::${_policy}[^a-z0-9_]") # nor a longer name that begins so
        message(SEND_ERROR "  ${_list} lacks gemm::${_policy}")
      endif()
    endif()
  endforeach()
endforeach()
if(NOT _lines)
  message(SEND_ERROR "  policies.cuh names no policy")
endif()
