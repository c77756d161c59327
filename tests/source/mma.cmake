# cmake -DNVCC= -DSOURCE_DIR= -DSOURCE= -DVIRTUAL= -DTARGETS= -DKERNELS= -DHAS= -DOBJECT= [-DDEFINITIONS=] -P mma.cmake
#
# Kernels compiled to PTX for compute_VIRTUAL and from that for each sm_TARGETS: their machine code HAS the instructions
# of tensor cores (HMMA, IMMA, DMMA) and uses no local memory.

include("${CMAKE_CURRENT_LIST_DIR}/local_memory.cmake")
execute_process(COMMAND "${NVCC}" -std=c++20 -O3 -arch=compute_${VIRTUAL} "-I${SOURCE_DIR}/include" ${DEFINITIONS}
  -ptx "${SOURCE}" -o "${OBJECT}.ptx" COMMAND_ERROR_IS_FATAL ANY)

# The first two bytes of an instruction's 16, without a predicate.
set(_HMMA 3c72)
set(_IMMA 3772)
set(_DMMA 3f72)

foreach(_target IN LISTS TARGETS)
  execute_process(COMMAND "${NVCC}" -gencode arch=compute_${VIRTUAL},code=sm_${_target} -Xptxas -v -cubin
    "${OBJECT}.ptx" -o "${OBJECT}.cubin" RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
  if(NOT _result EQUAL 0)
    message(FATAL_ERROR "  ${_output}")
  endif()
  message(STATUS "sm_${_target}")
  check_local_memory("${_output}" ${KERNELS})
  file(READ "${OBJECT}.cubin" _code HEX)
  string(REGEX REPLACE "................................" "\n\\0" _code "${_code}")
  foreach(_instruction IN LISTS HAS)
    string(REGEX MATCHALL "\n${_${_instruction}}" _found "${_code}")
    list(LENGTH _found _count)
    if(_count LESS 50) # data may look like a few
      message(SEND_ERROR "  sm_${_target}: ${_count} ${_instruction} in the machine code")
    endif()
  endforeach()
endforeach()
