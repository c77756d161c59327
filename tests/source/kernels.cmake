# cmake -DNVCC= -DSOURCE_DIR= -DSOURCE= -DTYPE= -DA= -DB= -DUNIT= -DFORM= -DOBJECT= -P kernels.cmake
#
# One run() without a policy, compiled by nvcc FORM, compiles as many kernels as bench/results/compile_cost.csv says of
# UNIT. The compilers say nothing, and no kernel uses local memory.

include("${CMAKE_CURRENT_LIST_DIR}/local_memory.cmake")
file(STRINGS "${SOURCE_DIR}/bench/results/compile_cost.csv" _rows REGEX "^${UNIT},-gencode,")
string(REGEX MATCH "^[^,]*,[^,]*,[^,]*,[^,]*,([0-9]+)," _ "${_rows}")
set(_said "${CMAKE_MATCH_1}")
execute_process(COMMAND "${NVCC}" -std=c++20 -O3 ${FORM} -Xptxas -v -c "-I${SOURCE_DIR}/include" -DGEMM_TYPE=${TYPE} -DGEMM_A=${A}
    -DGEMM_B=${B} "${SOURCE}" -o "${OBJECT}"
  RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
if(NOT _result EQUAL 0)
  message(FATAL_ERROR "  ${_output}")
endif()
string(REGEX MATCHALL "Compiling entry function [^\n]* for 'sm_90a'" _kernels "${_output}")
check_local_memory("${_output}" ${_said})
# Beside what -v asks for: of each kernel its name, its memory, its registers, and the time it took.
string(REGEX REPLACE "(ptxas info *: ([0-9]+ bytes gmem|Compiling|Function|Used|Compile time)| +[0-9]+ bytes stack)[^\n]*"
  "" _rest "${_output}")
string(STRIP "${_rest}" _rest)
if(NOT _rest STREQUAL "")
  message(SEND_ERROR "  ${UNIT}: the compiler says: ${_rest}")
endif()
list(LENGTH _kernels _count)
if(NOT _count EQUAL _said)
  message(SEND_ERROR "  ${UNIT} compiles ${_count} kernels, not the ${_said} of bench/results/compile_cost.csv: run "
    "bench/compile_cost.sh \"${UNIT}\" and bench/report.py --tables, if so many are meant")
endif()
