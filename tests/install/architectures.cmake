# cmake -DLANGUAGE_FILE=<GemmLanguage.cmake> -P architectures.cmake
#
# What gemm_check_architectures() says of which CMAKE_CUDA_ARCHITECTURES.
if(CASE)
  include("${LANGUAGE_FILE}")
  gemm_check_architectures()
  return()
endif()

# expect(<sentence, or nothing> <-D variable>...)
function(expect sentence)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DCASE=1 "-DLANGUAGE_FILE=${LANGUAGE_FILE}" ${ARGN} -P "${CMAKE_CURRENT_LIST_FILE}"
    OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
  string(REGEX REPLACE "[ \n]+" " " _output "${_output}") # messages are wrapped
  string(FIND "${_output}" "${sentence}" _found)
  if(_found EQUAL -1 OR (sentence STREQUAL "" AND NOT _output STREQUAL ""))
    message(SEND_ERROR "  ${ARGN}: must say \"${sentence}\", but says \"${_output}\"")
  endif()
endfunction()

set(_cuda -DCMAKE_CUDA_COMPILER_LOADED=1)
set(_is "gemm: CMAKE_CUDA_ARCHITECTURES is")
set(_need "TMA and tensor cores need 90a. Set it to")
expect("${_is} 90: ${_need} 90a." ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=90)
expect("${_is} 90-real: ${_need} 90a-real." ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=90-real)
expect("${_is} 80-real;90;100: ${_need} 80-real;90a;100." ${_cuda} "-DCMAKE_CUDA_ARCHITECTURES=80-real\;90\;100")
expect("${_is} native: ${_need} 90a-real." ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=native)
expect("${_is} native: ${_need} 90a-real." ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=native
  -DCMAKE_CUDA_ARCHITECTURES_NATIVE=90-real)
expect("" ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=native -DCMAKE_CUDA_ARCHITECTURES_NATIVE=86-real)
expect("${_is} all: ${_need} 80-real;90a-real." ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=all)
expect("${_is} all-major: ${_need} 80-real;90a-real." ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=all-major)
expect("${_is} 75: the library supports GPUs from 80 on. Set it to 80-real;90a-real." ${_cuda}
  -DCMAKE_CUDA_ARCHITECTURES=75)
foreach(_right IN ITEMS 80 86 90a 90a-real 100 120-real OFF)
  expect("" ${_cuda} -DCMAKE_CUDA_ARCHITECTURES=${_right})
endforeach()
expect("" ${_cuda} "-DCMAKE_CUDA_ARCHITECTURES=80\;90a")
expect("" ${_cuda} "-DCMAKE_CUDA_ARCHITECTURES=75\;90\;90a-real")
expect("" -DCMAKE_CUDA_ARCHITECTURES=90)
expect("" ${_cuda} "-DCMAKE_CUDA_ARCHITECTURES:STRING=")
