# cmake -DCC= -DCXX= -DEXAMPLES= -DPREFIX= -DINCLUDE=<of CUDA> -DLIBRARIES=<folder under the prefix> -DCOMPILED_FOR=
#   -DFOLDER= -DRUN=<whether programs are run> -P pkg_config.cmake
#
# The compiled library as builds without CMake find it: a program in C and one in C++.
find_program(_pkg_config pkg-config)
if(NOT _pkg_config)
  message("pkg-config is missing")
  return()
endif()
string(REPLACE "," ";" _include "${INCLUDE}")
list(TRANSFORM _include PREPEND "-isystem")
set(_runtime) # of the programs' own device memory: the CPU device is a part of the library
if(COMPILED_FOR STREQUAL "gpu")
  list(GET INCLUDE 0 _toolkit)
  set(_runtime "-L${_toolkit}/../lib64" "-L${_toolkit}/../lib" -lcudart)
endif()
set(ENV{PKG_CONFIG_PATH} "${PREFIX}/${LIBRARIES}/pkgconfig")
execute_process(COMMAND "${_pkg_config}" --cflags --libs gemm-compiled OUTPUT_VARIABLE _flags
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(_flags UNIX_COMMAND "${_flags}")
file(MAKE_DIRECTORY "${FOLDER}")
foreach(_source IN ITEMS product.c product.cpp)
  set(_compiler "${CC}" -std=c99)
  if(_source MATCHES "cpp$")
    set(_compiler "${CXX}" -std=c++17)
  endif()
  set(_program "${FOLDER}/${_source}.out")
  execute_process(COMMAND ${_compiler} -Wall -Wextra -pedantic -Werror ${_include} "${EXAMPLES}/${_source}" ${_flags}
      ${_runtime} -o "${_program}" COMMAND_ERROR_IS_FATAL ANY)
  if(RUN)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${PREFIX}/${LIBRARIES}" "${_program}"
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
