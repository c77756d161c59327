# cmake -DCOMPILE=<compiler and flags> -DSOURCE_DIR= -DVERSION= -DFOLDER= -DPREFIX=<of the installation> -P version.cmake
#
# One version: the macros, the string, the package, CITATION.cff and the changelog. And the plans are installed.
if(NOT EXISTS "${PREFIX}/share/gemm/suites.tuning")
  message(SEND_ERROR "  ${PREFIX}/share/gemm/suites.tuning is not installed")
endif()
string(REPLACE "." ";" _parts "${VERSION}")
list(GET _parts 0 _major)
list(GET _parts 1 _minor)
list(GET _parts 2 _patch)
math(EXPR _number "10000 * ${_major} + 100 * ${_minor} + ${_patch}")
file(MAKE_DIRECTORY "${FOLDER}")
file(WRITE "${FOLDER}/version.cpp" "#include <gemm/version.hpp>
#include <string_view>
#if GEMM_VERSION != ${_number}
#error GEMM_VERSION
#endif
static_assert(std::string_view(GEMM_VERSION_STRING) == \"${VERSION}\");
")
execute_process(COMMAND ${COMPILE} "${FOLDER}/version.cpp" RESULT_VARIABLE _result ERROR_VARIABLE _error)
if(NOT _result EQUAL 0)
  message(SEND_ERROR "  include/gemm/version.hpp does not say ${VERSION}:\n${_error}")
endif()
foreach(_pair IN ITEMS "CITATION.cff:\nversion: " "CHANGELOG.md:\n## ")
  string(REGEX REPLACE "^([^:]*):(.*)$" "\\1" _file "${_pair}")
  string(REGEX REPLACE "^([^:]*):(.*)$" "\\2" _before "${_pair}")
  file(READ "${SOURCE_DIR}/${_file}" _text)
  string(FIND "${_text}" "${_before}${VERSION}" _place)
  if(_place EQUAL -1)
    message(SEND_ERROR "  ${_file} does not speak of ${VERSION}")
  endif()
endforeach()

find_program(_pkg_config pkg-config)
if(_pkg_config)
  foreach(_question IN ITEMS "--modversion" "--cflags")
    execute_process(COMMAND ${CMAKE_COMMAND} -E env "PKG_CONFIG_PATH=${PREFIX}/share/pkgconfig" "${_pkg_config}"
        ${_question} gemm
      OUTPUT_VARIABLE _answer ERROR_VARIABLE _answer OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND _answers "${_answer}")
  endforeach()
  list(GET _answers 0 _version)
  list(GET _answers 1 _flags)
  string(REGEX REPLACE "^-I(.*[^ ]) *$" "\\1" _include "${_flags}")
  if(NOT _version STREQUAL VERSION OR NOT EXISTS "${_include}/gemm/gemm.cuh")
    message(SEND_ERROR "  pkg-config says ${_answers}, needs ${VERSION} and the flag of ${PREFIX}/include")
  endif()
endif()
