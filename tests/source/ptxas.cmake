# cmake -DNVCC= [-DNM=] -DSOURCE_DIR= -DSOURCE= [-DTYPE=] -DLEAST= -DOBJECT= -P ptxas.cmake
#
# Kernels compiled for sm_90a, at least so many, use no local memory, neither for spills nor for arrays, and their wgmma
# is asynchronous. With NM their symbols stay under 200 characters, spelled out as profilers do: with the template's
# arguments, without the parameters' types.

include("${CMAKE_CURRENT_LIST_DIR}/local_memory.cmake")
execute_process(COMMAND "${NVCC}" -std=c++20 -O3 -gencode arch=compute_90a,code=sm_90a "-I${SOURCE_DIR}/include"
  -DGEMM_TYPE=${TYPE} -Xptxas -v -cubin "${SOURCE}" -o "${OBJECT}"
  RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
if(NOT _result EQUAL 0)
  message(FATAL_ERROR "  ${_output}")
endif()
string(REGEX MATCHALL "[^\n]*instructions are serialized[^\n]*" _serialized "${_output}")
foreach(_line IN LISTS _serialized)
  message(SEND_ERROR "  multiplications wait for one another: ${_line}")
endforeach()
check_local_memory("${_output}" ${LEAST})
if(NOT NM)
  return()
endif()

execute_process(COMMAND "${NM}" -C "${OBJECT}" OUTPUT_VARIABLE _symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[tTwW] void gemm::detail::[a-z0-9_]*kernel<[^\n]*" _symbols "${_symbols}")
list(LENGTH _symbols _count)
if(_count LESS LEAST)
  message(FATAL_ERROR "  only ${_count} kernels among the symbols")
endif()
foreach(_symbol IN LISTS _symbols)
  string(REGEX REPLACE "^. (.*>)\\(.*$" "\\1" _symbol "${_symbol}")
  string(LENGTH "${_symbol}" _length)
  if(_length GREATER_EQUAL 264) # an operand spells its type, its major and its scales
    message(SEND_ERROR "  a symbol of ${_length} characters: ${_symbol}")
  endif()
endforeach()
