# cmake -DEXPLAIN= -DRUN_ON= -DFOLDER= -DSOURCE_DIR= -P ladder.cmake
#
# The interactive page is one file that needs no other, and docs/ladder.html is it, byte for byte.
file(MAKE_DIRECTORY "${FOLDER}")
set(_written "${FOLDER}/ladder.html")
execute_process(COMMAND "${EXPLAIN}" --device=h200 "--html=${_written}" COMMAND_ERROR_IS_FATAL ANY)
file(READ "${_written}" _page)
foreach(_mark IN ITEMS "/* style */" "/* data */" "/* script */" "src=" "href=" "//www" "import ")
  string(FIND "${_page}" "${_mark}" _place)
  if(NOT _place EQUAL -1)
    message(SEND_ERROR "  the page has ${_mark}")
  endif()
endforeach()
# On a GPU registers are those of its compiler, and nothing is recorded.
if(RUN_ON STREQUAL "cpu")
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files "${_written}" "${SOURCE_DIR}/docs/ladder.html"
    RESULT_VARIABLE _different OUTPUT_QUIET ERROR_QUIET)
  if(_different)
    message(SEND_ERROR
      "  docs/ladder.html is not what explain writes: run explain --device=h200 --html=docs/ladder.html")
  endif()
  file(SIZE "${_written}" _bytes)
  if(_bytes GREATER 250000)
    message(SEND_ERROR "  docs/ladder.html has ${_bytes} bytes, more than 250000")
  endif()
endif()
