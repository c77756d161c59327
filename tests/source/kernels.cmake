# cmake -DNVCC= -DSOURCE_DIR= -DSOURCE= -DTYPE= -DA= -DB= -DUNIT= -DOBJECT= -P kernels.cmake
#
# One run() without a policy compiles as many kernels as bench/results/compile_cost.csv says of UNIT.

file(STRINGS "${SOURCE_DIR}/bench/results/compile_cost.csv" _rows REGEX "^${UNIT},-gencode,")
string(REGEX MATCH "^[^,]*,[^,]*,[^,]*,[^,]*,([0-9]+)," _ "${_rows}")
set(_said "${CMAKE_MATCH_1}")
execute_process(COMMAND "${NVCC}" -std=c++20 -Xcicc=-O0 -gencode arch=compute_90a,code=compute_90a
  "-I${SOURCE_DIR}/include" -DGEMM_TYPE=${TYPE} -DGEMM_A=${A} -DGEMM_B=${B} -ptx "${SOURCE}" -o "${OBJECT}"
  COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${OBJECT}" _kernels REGEX "\\.entry ")
list(LENGTH _kernels _count)
if(NOT _count EQUAL _said)
  message(SEND_ERROR "  ${UNIT} compiles ${_count} kernels, not the ${_said} of bench/results/compile_cost.csv: run "
    "bench/compile_cost.sh \"${UNIT}\" and bench/report.py --tables, if so many are meant")
endif()
