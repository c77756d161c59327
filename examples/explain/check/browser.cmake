# cmake -DEXPLAIN= -DFOLDER= -DSOURCE_DIR= -P browser.cmake
#
# The interactive page in a browser without a window, at 1280 pixels with light colours and at 400 with dark ones: no
# error, and what is pointed at and chosen changes what it should.
file(MAKE_DIRECTORY "${FOLDER}")
execute_process(COMMAND "${EXPLAIN}" --device=h200 "--html=${FOLDER}/page.html" COMMAND_ERROR_IS_FATAL ANY)
find_program(_browser NAMES chromium chromium-browser google-chrome)
if(NOT _browser)
  message("skipped: there is no Chromium to open the page of explain --html with; apt-get install chromium")
  return()
endif()
configure_file("${SOURCE_DIR}/examples/explain/check/page_test.html" "${FOLDER}/page_test.html" COPYONLY)
foreach(_scheme IN ITEMS 0:dark 1:light) # as Chromium numbers them
  string(REGEX REPLACE "^(.*):(.*)$" "\\1;\\2" _scheme "${_scheme}")
  list(GET _scheme 0 _number)
  list(GET _scheme 1 _name)
  execute_process(
    COMMAND "${_browser}" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --allow-file-access-from-files
      "--user-data-dir=${FOLDER}/profile" --window-size=1800,1000 --virtual-time-budget=60000 --enable-logging=stderr
      "--blink-settings=preferredColorScheme=${_number}" --dump-dom "file://${FOLDER}/page_test.html#${_name}"
    OUTPUT_VARIABLE _document ERROR_VARIABLE _log RESULT_VARIABLE _result TIMEOUT 120)
  string(REGEX MATCHALL "[^\n]*CONSOLE[^\n]*" _console "${_log}")
  if(_console)
    message(SEND_ERROR "  ${_name}: the page writes to the console:\n${_console}")
  endif()
  if(NOT _document MATCHES "<pre id=\"result\">passed\n")
    string(REGEX REPLACE ".*<pre id=\"result\">(.*)</pre>.*" "\\1" _document "${_document}")
    message(SEND_ERROR "  ${_name}: exit code ${_result}; the page's test says:\n${_document}")
  endif()
endforeach()
