# Comments of headers give contracts and reasons in the field's words: no timings, which belong in docs/tuning-notes.md,
# and none of the words below, each of which has a term that every reader knows. So do messages and names; and no
# preposition is a name.
set(_timing "[0-9] ?(us|ms|ns|TFLOP/s|GB/s|TB/s|MHz|clocks)[^a-z0-9]|[0-9]%|[0-9] %([,.;:)]| [a-z][a-z])")
set(_say
  "turned|turning=transposed, transposing, or say what moves"
  "turns?=transpose, phase, step, or number, and ping-pong turn where it is that"
  "twisted=XOR-swizzled"
  "brings?|brought=load, loaded"
  "rooms?=memory, registers or CTA slots"
  "places=CTA slots, positions, exchanged"
  "told=the parameter, given"
  "crowd|lone=resident, alone"
  "slim|slender=skinny, with the numbers"
  "patch|patches=fragment"
  "panels?=tile, or say which rows"
  "lines?=row, column or cache line"
  "anywhere=misaligned"
  "ways?=path, in flight"
  "(take|takes|taken) apart=split"
  "cut off=truncated")
# In string literals, and as names of what is declared.
set(_message "takes? .* apart|taken apart|brings?|brought|told|slim|slender|turned|rooms? for|sums? of|taken")
set(_name "of|how|at|by_second|beside|told|takes?|taken|brings?|meets?|stays?|slim|place|sums|turn_tiles|lines_[ab]")
list(TRANSFORM _say REPLACE "=.*" "" OUTPUT_VARIABLE _any)
list(JOIN _any "|" _any)
# Lines of text are lines; the two warpgroups of ping-pong have turns, and so have the threads of the CPU device.
set(_of_text "gemm/tune/|gemm/choose/call_log.hpp|gemm/run.cuh|tests/")
set(_of_turns "ping_pong|gemm/emulation/|tests/")

file(GLOB_RECURSE _files RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/include/gemm/*.hpp" "${SOURCE_DIR}/include/gemm/*.cuh"
  "${SOURCE_DIR}/tests/cpu_device/*.hpp" "${SOURCE_DIR}/tests/cpu_device/*.cuh")
foreach(_file IN LISTS _files)
  # One comment after the other in one string; names in backticks, calls and members are code.
  file(READ "${SOURCE_DIR}/${_file}" _text)
  string(REGEX REPLACE "[][;]" " " _text "${_text}")
  string(REGEX MATCHALL "(^|[^:])//[^\n]*" _comments "${_text}")
  string(REGEX REPLACE "`[^`;]*`|[a-z_/0-9]+[.](hpp|cuh|cu|cpp|md)|[a-z_]+\\(|[a-z_]+::|cache lines?|in turn" "" _words "${_comments}")
  if(_comments MATCHES "${_timing}") # this much is fast
    string(REGEX MATCH "[^;]*(${_timing})[^;]*" _comment "${_comments}")
    message(SEND_ERROR "  ${_file} has a timing in a comment: ${_comment}")
  endif()
  file(READ "${SOURCE_DIR}/${_file}" _code)
  string(REGEX REPLACE "//[^\n]*" "" _code "${_code}")
  string(REGEX MATCHALL "\"[^\"\n]*\"" _literals "${_code}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "" _code "${_code}")
  if(_literals MATCHES "[^a-zA-Z_](${_message})[^a-zA-Z_]")
    message(SEND_ERROR "  ${_file} says \"${CMAKE_MATCH_1}\" in a message")
  endif()
  if(_code MATCHES "[a-zA-Z_0-9>&*] (${_name})([,;{)[]| =| :)")
    message(SEND_ERROR "  ${_file} declares \"${CMAKE_MATCH_1}\"")
  endif()
  if(NOT _words MATCHES "[^a-zA-Z_0-9:./](${_any})[^a-zA-Z_0-9(/]")
    continue()
  endif()
  foreach(_rule IN LISTS _say)
    string(REGEX MATCH "^([^=]*)=(.*)$" _ "${_rule}")
    set(_word "${CMAKE_MATCH_1}")
    set(_term "${CMAKE_MATCH_2}")
    if((_word MATCHES "line" AND _file MATCHES "${_of_text}") OR (_word MATCHES "^turns" AND _file MATCHES "${_of_turns}"))
      continue()
    endif()
    string(REGEX MATCH "[^;]*[^a-zA-Z_0-9:./;](${_word})[^a-zA-Z_0-9(/][^;]*" _comment "${_words}")
    if(_comment)
      message(SEND_ERROR "  ${_file} says \"${CMAKE_MATCH_1}\" in a comment: ${_comment}\n  Say: ${_term}")
    endif()
  endforeach()
endforeach()
