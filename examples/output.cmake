# cmake -DPROGRAM= -DSOURCE_DIR= -DPAGE= [-DNAME=] -P output.cmake
#
# A program of the examples prints what PAGE shows in the block below `<!-- output: NAME -->`, on stdout and stderr. NAME
# may have an environment before the program's name: `GEMM_LOG=1 first`. The policy of a logged call and its time are
# those of the device, and are left out of the comparison.

function(without_choice text result)
  string(REGEX REPLACE ": [a-z0-9_]+, [0-9.e+-]+ us predicted" ": POLICY, TIME us predicted" _text "${text}")
  string(REGEX REPLACE "\n+$" "" _text "${_text}")
  set(${result} "${_text}" PARENT_SCOPE)
endfunction()

file(READ "${SOURCE_DIR}/${PAGE}" _page)
set(_marker "<!-- output: ${NAME} -->\n```text\n")
string(FIND "${_page}" "${_marker}" _begin)
if(_begin EQUAL -1)
  message(FATAL_ERROR "  ${PAGE} shows no output of ${NAME}")
endif()
string(LENGTH "${_marker}" _length)
math(EXPR _begin "${_begin} + ${_length}")
string(SUBSTRING "${_page}" ${_begin} -1 _page)
string(FIND "${_page}" "```" _end)
string(SUBSTRING "${_page}" 0 ${_end} _shown)

string(REGEX MATCHALL "[A-Z_]+=[^ ]+" _environment "${NAME}")
execute_process(COMMAND ${CMAKE_COMMAND} -E env ${_environment} "${PROGRAM}" OUTPUT_VARIABLE _printed
  ERROR_VARIABLE _log RESULT_VARIABLE _result)
without_choice("${_shown}" _shown)
without_choice("${_printed}${_log}" _printed)
if(NOT _result EQUAL 0)
  message(SEND_ERROR "  ${NAME} ends with ${_result}:\n${_printed}")
elseif(NOT _printed STREQUAL _shown)
  message(SEND_ERROR "  ${PAGE} shows another output of ${NAME} than\n${_printed}")
endif()
