# cmake -DNVCC= -DSOURCE_DIR= -DSOURCE= -DTYPE= -DA= -DB= -DMOST= -DOBJECT= -P kernels.cmake
#
# One run() without a policy compiles at most MOST kernels.

execute_process(COMMAND "${NVCC}" -std=c++20 -Xcicc=-O0 -gencode arch=compute_90a,code=compute_90a
  "-I${SOURCE_DIR}/include" -DGEMM_TYPE=${TYPE} -DGEMM_A=${A} -DGEMM_B=${B} -ptx "${SOURCE}" -o "${OBJECT}"
  COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${OBJECT}" _kernels REGEX "\\.entry ")
list(LENGTH _kernels _count)
if(_count GREATER MOST OR _count LESS 10)
  message(SEND_ERROR "  run() of ${TYPE}, ${A} and ${B}, compiles ${_count} kernels, may compile ${MOST}")
endif()
