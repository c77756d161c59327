# Every named policy has its row in the table, which run, tune, the tests and the benchmarks read: all that the headers
# *policies.cuh name.
file(GLOB _headers "${SOURCE_DIR}/include/gemm/*policies.cuh" "${SOURCE_DIR}/include/gemm/emulation/policies.cuh")
file(READ "${SOURCE_DIR}/include/gemm/choose/kernel_table.hpp" _table)
set(_lines)
foreach(_header IN LISTS _headers)
  file(STRINGS "${_header}" _more REGEX "^struct [a-z0-9_]+[0-9]x[0-9][a-z0-9_]* : ")
  list(APPEND _lines ${_more})
endforeach()
foreach(_line IN LISTS _lines)
  if(_line MATCHES "^struct ([a-z0-9_]+) : ") # else what came after a semicolon
    set(_policy "${CMAKE_MATCH_1}")
    if(NOT _table MATCHES "kernel_row<${_policy}[,>]")
      message(SEND_ERROR "  include/gemm/choose/kernel_table.hpp lacks ${_policy}")
    endif()
  endif()
endforeach()
if(NOT _lines)
  message(SEND_ERROR "  policies.cuh names no policy")
endif()

# Every source of tests is built.
file(READ "${SOURCE_DIR}/tests/CMakeLists.txt" _built)
file(GLOB _tests RELATIVE "${SOURCE_DIR}/tests" "${SOURCE_DIR}/tests/unit/*.c*" "${SOURCE_DIR}/tests/properties/*.c*"
  "${SOURCE_DIR}/tests/policies/*.cu")
foreach(_test IN LISTS _tests)
  string(FIND "${_built}" " ${_test}" _at)
  if(_at EQUAL -1)
    message(SEND_ERROR "  tests/CMakeLists.txt lacks ${_test}")
  endif()
endforeach()
