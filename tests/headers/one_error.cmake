# cmake -DCOMPILE=<compiler;arguments> -DSOURCE=<file> -DEXPECT=<sentence> -P one_error.cmake
#
# The source does not compile, for the one reason, said in fewer than ten lines, whatever it does after its includes.
execute_process(COMMAND ${COMPILE} "${SOURCE}" RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _output)
if(_result EQUAL 0)
  message(FATAL_ERROR "  compiles, must fail with: ${EXPECT}")
endif()
string(FIND "${_output}" "error: ${EXPECT}" _found)
if(_found EQUAL -1)
  message(FATAL_ERROR "  the message must contain: ${EXPECT}\nbut is:\n${_output}")
endif()
string(REGEX MATCHALL "error: " _errors "${_output}")
list(LENGTH _errors _errors)
string(REGEX MATCHALL "[^\n]+" _lines "${_output}")
list(LENGTH _lines _lines)
if(NOT _errors EQUAL 1 OR _lines GREATER_EQUAL 10)
  message(FATAL_ERROR "  one error in fewer than ten lines, not ${_errors} in ${_lines}:\n${_output}")
endif()
