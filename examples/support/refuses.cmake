# For scripts that are told TOOL, an executable.

# tool(<result> <output> <error> <argument>...): runs it.
function(tool result output error)
  execute_process(COMMAND "${TOOL}" ${ARGN} RESULT_VARIABLE _result OUTPUT_VARIABLE _output ERROR_VARIABLE _error)
  set(${result} "${_result}" PARENT_SCOPE)
  set(${output} "${_output}" PARENT_SCOPE)
  set(${error} "${_error}" PARENT_SCOPE)
endfunction()

# refuses(<text> <argument>...): such arguments end it with exit code 2, nothing on stdout and one line on stderr, which
# has this text.
function(refuses text)
  tool(_result _output _error ${ARGN})
  string(FIND "${_error}" "${text}" _place)
  if(NOT _result EQUAL 2 OR _place EQUAL -1 OR NOT _output STREQUAL "" OR NOT _error MATCHES "^[^\n]+\n$")
    message(SEND_ERROR "  ${TOOL} ${ARGN}: exit code ${_result}, needs 2 and one line with \"${text}\"\n${_error}${_output}")
  endif()
endfunction()

# helps(<text>...): --help and -h say each of these in lines of at most 100 characters, and end it with exit code 0.
function(helps)
  foreach(_flag IN ITEMS --help -h)
    tool(_result _output _error ${_flag})
    string(REPLACE ";" "," _lines "${_output}")
    string(REGEX MATCHALL "[^\n]+" _lines "${_lines}")
    foreach(_line IN LISTS _lines)
      string(LENGTH "${_line}" _length)
      if(_length GREATER 100)
        message(SEND_ERROR "  ${TOOL} ${_flag}: ${_length} characters are more than 100\n  ${_line}")
      endif()
    endforeach()
    foreach(_text IN LISTS ARGN)
      string(FIND "${_output}" "${_text}" _place)
      if(NOT _result EQUAL 0 OR _place EQUAL -1 OR NOT _error STREQUAL "")
        message(SEND_ERROR "  ${TOOL} ${_flag}: exit code ${_result}, needs 0 and \"${_text}\"\n${_error}${_output}")
      endif()
    endforeach()
  endforeach()
endfunction()
