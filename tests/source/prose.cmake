# What pages for users must keep: README.md, docs/*.md and bench/README.md.
#
#   length     README.md has at most 190 lines (README_LINES)
#   links      relative links and their anchors exist
#   sentences  at most 25 words, tables and code excepted
#   hashes     no commit, but in docs/tuning-notes.md
#   words      none that CUDA programmers would have to learn, outside code
cmake_policy(SET CMP0057 NEW)
if(NOT README_LINES)
  set(README_LINES 190)
endif()
set(_most_words 25)

# Words of the library's own dialect, and what to say instead.
set(_dialect
  "turn|turns|turned|turning:transpose, swap_ab, alternate"
  "twisted:xor_swizzled"
  "row[ _]class|row[ _]classes:misaligned_rows_tma"
  "patch|patches:gemv_fragment"
  "realign|realigned|shifted:align_copy, funnel_shift_copy"
  "panel packing:overlapped_repack"
  "stream slices|k slices|slicing:stream_k, split-K"
  "k groups|group sum:sliced_k"
  "sums:accumulates, accumulators"
  "swapped store|deferred store:transposed_store, overlapped_epilogue"
  "taken apart|takes apart|take apart|takes a matrix apart:split"
  "one wave|policy facts:occupancy, kernel_info"
  "slim|slender|narrow|tall:skinny_m, skinny_n, or the numbers"
  "bring|brings|brought|bringing:load, copy"
  "way|ways:path, method"
  "place|places|room:CTA slots, residency"
  "crowd|lone|late|told:alone, latency"
  "begin anywhere|begins anywhere:misaligned"
  "blocks that stay|block that stays:persistent blocks"
  "lines of A|lines of B|lines of C|lines of an operand|lines of operands|swizzle line:rows, columns")

# GitHub's anchors of a page's headings.
function(anchors_of page result)
  file(STRINGS "${page}" _headings REGEX "^#+ ")
  set(_anchors)
  foreach(_heading IN LISTS _headings)
    string(REGEX REPLACE "^#+ +" "" _heading "${_heading}")
    string(TOLOWER "${_heading}" _heading)
    string(REGEX REPLACE "[^a-z0-9 _-]" "" _heading "${_heading}")
    string(REPLACE " " "-" _heading "${_heading}")
    list(APPEND _anchors "${_heading}")
  endforeach()
  set(${result} "${_anchors}" PARENT_SCOPE)
endfunction()

function(check_links page name text)
  get_filename_component(_folder "${page}" DIRECTORY)
  string(REGEX MATCHALL "@\\([^) ]+" _links "${text}")
  foreach(_link IN LISTS _links)
    string(SUBSTRING "${_link}" 2 -1 _link)
    if(_link MATCHES "^[a-z]+:")
      continue()
    endif()
    string(REGEX MATCH "#.*$" _anchor "${_link}")
    string(REGEX REPLACE "#.*$" "" _file "${_link}")
    set(_target "${page}")
    if(_file)
      set(_target "${_folder}/${_file}")
    endif()
    if(NOT EXISTS "${_target}")
      message(SEND_ERROR "  ${name}: the link ${_link} leads nowhere")
    elseif(_anchor)
      string(SUBSTRING "${_anchor}" 1 -1 _anchor)
      anchors_of("${_target}" _anchors)
      if(NOT _anchor IN_LIST _anchors)
        message(SEND_ERROR "  ${name}: the link ${_link} needs a heading #${_anchor}")
      endif()
    endif()
  endforeach()
endfunction()

# Prose without code and link targets.
function(check_paragraph name text)
  string(REGEX REPLACE "([.!?][]\"')*_]*) +" "\\1;" _sentences "${text}")
  foreach(_sentence IN LISTS _sentences)
    string(REGEX MATCHALL "[^ ]*[A-Za-z0-9][^ ]*" _words "${_sentence}")
    list(LENGTH _words _count)
    if(_count GREATER _most_words)
      message(SEND_ERROR "  ${name}: a sentence has ${_count} words, at most ${_most_words}: ${_sentence}")
    endif()
  endforeach()
endfunction()

function(check_words name text)
  string(TOLOWER " ${text} " _text)
  foreach(_entry IN LISTS _dialect)
    string(REGEX MATCH "^[^:]*" _words "${_entry}")
    string(REGEX REPLACE "^[^:]*:" "" _say "${_entry}")
    string(TOLOWER "${_words}" _words)
    if(_text MATCHES "[^a-z0-9_](${_words})[^a-z0-9_]")
      message(SEND_ERROR "  ${name}: \"${CMAKE_MATCH_1}\" is a word of its own, say ${_say}: ${text}")
    endif()
  endforeach()
  if(NOT name MATCHES "tuning-notes")
    string(REGEX MATCHALL "[a-z0-9_.]+" _tokens "${_text}")
    foreach(_token IN LISTS _tokens)
      string(REGEX REPLACE "\\.$" "" _token "${_token}")
      string(LENGTH "${_token}" _length)
      if(_length GREATER 6 AND _length LESS 41 AND _token MATCHES "^[0-9a-f]+$" AND _token MATCHES "[0-9]"
          AND _token MATCHES "[a-f]")
        message(SEND_ERROR "  ${name} holds a commit, ${_token}")
      endif()
    endforeach()
  endif()
endfunction()

function(check_page page name)
  file(READ "${page}" _text)
  # What CMake's lists would stumble over; a link is @(target) from here on.
  string(REGEX REPLACE "[\\;]" "," _text "${_text}")
  string(REPLACE "](" "@(" _text "${_text}")
  string(REGEX REPLACE "[][]" "" _text "${_text}")
  string(REGEX REPLACE "\n" ";" _lines "${_text}")
  set(_paragraph)
  set(_fenced FALSE)
  set(_after_blank TRUE)
  foreach(_line IN LISTS _lines ITEMS "")
    if(_line MATCHES "^ *```")
      set(_line "")
      if(_fenced)
        set(_fenced FALSE)
      else()
        set(_fenced TRUE)
      endif()
    elseif(_fenced OR (_line MATCHES "^    " AND _after_blank) OR _line MATCHES "^<!--")
      continue()
    endif()
    string(REGEX REPLACE "`+[^`]*`+" "code" _prose "${_line}")
    check_links("${page}" "${name}" "${_prose}")
    string(REGEX REPLACE "@\\([^)]*\\)" "" _prose "${_prose}")
    if(_prose MATCHES "^\\|")
      check_words("${name}" "${_prose}")
      set(_prose "")
    endif()
    if(_prose MATCHES "^ *$|^#+ |^ *[-*] |^ *[0-9][0-9]?\\. ")
      check_paragraph("${name}" "${_paragraph}")
      check_words("${name}" "${_paragraph}")
      string(REGEX REPLACE "^ *([-*]|#+|[0-9][0-9]?\\.) +" "" _paragraph "${_prose}")
    else()
      string(APPEND _paragraph " ${_prose}")
    endif()
    if(_line MATCHES "^ *$")
      set(_after_blank TRUE)
    else()
      set(_after_blank FALSE)
    endif()
  endforeach()
endfunction()

file(READ "${SOURCE_DIR}/README.md" _readme)
string(REGEX MATCHALL "\n" _lines "${_readme}")
list(LENGTH _lines _count)
if(_count GREATER README_LINES)
  message(SEND_ERROR "  README.md has ${_count} lines, at most ${README_LINES}: move what is not for everybody to docs/")
endif()
file(GLOB _pages "${SOURCE_DIR}/docs/*.md")
foreach(_page IN ITEMS "${SOURCE_DIR}/README.md" LISTS _pages ITEMS "${SOURCE_DIR}/bench/README.md")
  if(EXISTS "${_page}")
    file(RELATIVE_PATH _name "${SOURCE_DIR}" "${_page}")
    check_page("${_page}" "${_name}")
  endif()
endforeach()
