# cmake -DCOMPILE=<compiler;arguments> -DSOURCE=<file> -P check.cmake
#
# The source compiles, which the C++ compiler is asked alone; with -DFAIL it does not, for one reason, which is the text
# of its "// expect: " line, said in fewer than ten lines by nvcc.

file(STRINGS "${SOURCE}" _expect REGEX "^// expect: ")
string(REGEX REPLACE "^// expect: " "" _expect "${_expect}")
string(REPLACE "\\;" ";" _expect "${_expect}") # file() hides semicolons from lists
if(_expect STREQUAL "")
  message(FATAL_ERROR "  ${SOURCE} has no \"// expect: \" line")
endif()

if(NOT COMPILE MATCHES "nvcc")
  execute_process(COMMAND ${COMPILE} "${SOURCE}"
    RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
  if(NOT _result EQUAL 0)
    message(FATAL_ERROR "  does not compile as it is:\n${_output}")
  endif()
endif()

execute_process(COMMAND ${COMPILE} -DFAIL "${SOURCE}"
  RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
if(_result EQUAL 0)
  message(FATAL_ERROR "  compiles with -DFAIL, must fail with: ${_expect}")
endif()
string(FIND "${_output}" "${_expect}" _found)
if(_found EQUAL -1)
  message(FATAL_ERROR "  the message must contain: ${_expect}\nbut is:\n${_output}")
endif()
string(REGEX MATCHALL "error: " _errors "${_output}")
list(LENGTH _errors _count)
if(NOT _count EQUAL 1)
  message(FATAL_ERROR "  one mistake must give one error, not ${_count}:\n${_output}")
endif()
if(COMPILE MATCHES "nvcc")
  string(REGEX MATCHALL "[^\n]+" _lines "${_output}")
  list(LENGTH _lines _count)
  if(_count GREATER_EQUAL 10)
    message(FATAL_ERROR "  the message must have fewer than ten lines, not ${_count}:\n${_output}")
  endif()
endif()
