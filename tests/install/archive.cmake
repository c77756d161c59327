# cmake -DSOURCE_DIR= -DFOLDER= -DVERSION= -P archive.cmake
#
# A tarball, as recipes of package managers have it: what git archive makes is installed and found by a project. Where
# Conan is, by its recipe, too.
find_program(_git git REQUIRED)
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(_name "gemm-${VERSION}")
execute_process(COMMAND "${_git}" archive "--prefix=${_name}/" -o "${FOLDER}/${_name}.tar.gz" HEAD
    CMakeLists.txt LICENSE README.md cmake include share
  WORKING_DIRECTORY "${SOURCE_DIR}" RESULT_VARIABLE _result ERROR_VARIABLE _error)
if(NOT _result EQUAL 0)
  message("no archive of these sources: ${_error}")
  return()
endif()
file(ARCHIVE_EXTRACT INPUT "${FOLDER}/${_name}.tar.gz" DESTINATION "${FOLDER}")
set(_sources "${FOLDER}/${_name}")

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE _result OUTPUT_VARIABLE _output
    ERROR_VARIABLE _output)
  if(NOT _result EQUAL 0)
    list(JOIN ARGV " " _command)
    message(FATAL_ERROR "  ${_command}:\n${_output}")
  endif()
endfunction()

function(find_from prefix)
  run(${CMAKE_COMMAND} --fresh -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/archive" -B "${FOLDER}/find"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DVERSION=${VERSION}")
  run(${CMAKE_COMMAND} --build "${FOLDER}/find")
endfunction()

run(${CMAKE_COMMAND} -S "${_sources}" -B "${FOLDER}/build" "-DCMAKE_INSTALL_PREFIX=${FOLDER}/prefix")
run(${CMAKE_COMMAND} --install "${FOLDER}/build")
find_from("${FOLDER}/prefix")

file(GLOB_RECURSE _headers RELATIVE "${_sources}/include" "${_sources}/include/*")
foreach(_header IN LISTS _headers)
  if(NOT EXISTS "${FOLDER}/prefix/include/${_header}")
    message(SEND_ERROR "  ${_header} is not installed")
  endif()
endforeach()

find_program(_conan conan)
if(_conan)
  set(ENV{CONAN_HOME} "${FOLDER}/conan")
  run("${_conan}" profile detect)
  run("${_conan}" create "${_sources}/cmake/conan")
  run("${_conan}" install "--requires=gemm/${VERSION}" --deployer=full_deploy "--deployer-folder=${FOLDER}")
  find_from("${FOLDER}/full_deploy/host/gemm/${VERSION}")
endif()
