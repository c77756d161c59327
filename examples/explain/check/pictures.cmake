# cmake -DDRAWN= -DCOMMITTED= -DRUN_ON= -P pictures.cmake
#
# The committed pictures are those that explain draws.
file(GLOB _drawn RELATIVE "${DRAWN}" "${DRAWN}/*.svg")
file(GLOB _committed RELATIVE "${COMMITTED}" "${COMMITTED}/*.svg")
if(RUN_ON STREQUAL "gpu" AND NOT _drawn MATCHES "sm90_simt_tma") # a GPU that cannot run rungs 9 to 12
  list(FILTER _committed EXCLUDE REGEX "^(sm90_simt_tma|persistent|sm90_wgmma|fp16x3)_")
endif()
if(NOT _drawn STREQUAL _committed)
  message(SEND_ERROR "  explain draws ${_drawn}, committed are ${_committed}")
endif()
foreach(_picture IN LISTS _committed)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files "${DRAWN}/${_picture}" "${COMMITTED}/${_picture}"
    RESULT_VARIABLE _different OUTPUT_QUIET ERROR_QUIET)
  if(_different)
    message(SEND_ERROR
      "  pictures/${_picture} is not what explain draws: run explain --svg=${COMMITTED}, and look at it")
  endif()
  file(SIZE "${COMMITTED}/${_picture}" _bytes)
  if(_bytes GREATER 50000)
    message(SEND_ERROR "  pictures/${_picture} has ${_bytes} bytes, more than 50000")
  endif()
endforeach()
