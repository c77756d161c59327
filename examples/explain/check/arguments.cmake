# cmake -DTOOL= -DRUN_ON= -DSOURCE_DIR= -P arguments.cmake
#
# explain knows every named policy of the rungs up to pipelined, takes every storage and type of theirs, and one or two
# policies of each rung after them; it says what is wrong with a command line.
include("${SOURCE_DIR}/examples/support/refuses.cmake")

tool(_result _names _error --list)
file(STRINGS "${SOURCE_DIR}/include/gemm/policies.cuh" _lines REGEX "^struct [a-z0-9_]+ : ")
foreach(_line IN LISTS _lines)
  string(REGEX REPLACE "^struct ([a-z0-9_]+) : .*" "\\1" _policy "${_line}")
  if(_policy MATCHES "^(sm90_simt_tma|persistent|sm90_wgmma|fp16x3|bf16x6|skinny|small)_") # some of them alone: README.md says so
    continue()
  endif()
  if(NOT "\n${_names}" MATCHES "\n${_policy}\n")
    message(SEND_ERROR "  explain does not know ${_policy}: add it to examples/explain/rungs.cuh")
  endif()
endforeach()

string(REGEX MATCHALL "[^\n]+" _names "${_names}")
set(_rings ${_names})
list(FILTER _rings INCLUDE REGEX "^(sm90_simt_tma|persistent|sm90_wgmma|fp16x3)_")
list(FILTER _names EXCLUDE REGEX "^(sm90_simt_tma|persistent|sm90_wgmma|fp16x3)_")
list(LENGTH _rings _count)
set(_runs_rings TRUE)
if(RUN_ON STREQUAL "gpu" AND _count EQUAL 0) # it cannot run them
  set(_runs_rings FALSE)
elseif(NOT _count EQUAL 5)
  message(SEND_ERROR "  explain knows ${_rings}: needs 5 policies of rungs 9 to 12")
endif()
set(_types f32 f64 f16 bf16 i8)
# Says so where a line of `output` is longer than a screen is wide.
function(fits what output)
  string(REPLACE ";" "," _lines "${output}")
  string(REGEX MATCHALL "[^\n]+" _lines "${_lines}")
  foreach(_line IN LISTS _lines)
    string(LENGTH "${_line}" _length)
    if(_length GREATER 120)
      message(SEND_ERROR "  explain ${what}: ${_length} characters are more than 120\n  ${_line}")
    endif()
  endforeach()
endfunction()

foreach(_name IN LISTS _rings)
  tool(_result _output _error --policy=${_name} --device=a6000)
  fits("--policy=${_name}" "${_output}")
endforeach()
foreach(_name IN LISTS _names) # rows that are aligned to nothing
  foreach(_type IN LISTS _types)
    foreach(_storage IN ITEMS nn tt)
      tool(_result _output _error --policy=${_name} --type=${_type} --storage=${_storage} --m=100 --n=7 --k=33)
      if(NOT _result EQUAL 0 OR NOT _output MATCHES "\n  so [^\n]* set by ")
        message(SEND_ERROR "  ${_name} ${_type} ${_storage}: exit code ${_result}\n${_error}${_output}")
      endif()
      fits("--policy=${_name} --type=${_type}" "${_output}")
    endforeach()
  endforeach()
endforeach()

foreach(_type IN LISTS _types) # and lines that are: a row of each table for each policy
  foreach(_storage IN ITEMS nn nt tn tt)
    tool(_result _output _error --type=${_type} --storage=${_storage} --device=h200)
    fits("--type=${_type}" "${_output}")
    foreach(_name IN LISTS _rings)
      string(REGEX MATCHALL "\n[|] ${_name} [^\n]*" _rows "${_output}")
      list(LENGTH _rows _count)
      if(NOT _count EQUAL 2)
        message(SEND_ERROR "  ${_name}: ${_count} rows of the tables")
      endif()
    endforeach()
    foreach(_name IN LISTS _names)
      string(REGEX MATCHALL "\n[|] ${_name} [^\n]*" _rows "${_output}")
      list(LENGTH _rows _count)
      if(NOT _result EQUAL 0 OR NOT _count EQUAL 3)
        message(SEND_ERROR "  ${_name} ${_type} ${_storage}: ${_count} rows, exit code ${_result}\n${_error}${_output}")
      endif()
    endforeach()
  endforeach()
endforeach()

# Says `lines`, each as it begins, of a policy of which the remaining arguments tell more.
function(says policy lines)
  tool(_result _output _error --policy=${policy} --device=h200 ${ARGN})
  foreach(_line IN LISTS lines)
    string(FIND "${_output}" "\n  ${_line}" _place)
    if(_place EQUAL -1)
      message(SEND_ERROR "  explain --policy=${policy} ${ARGN}: needs the line\n  ${_line}\n${_error}${_output}")
    endif()
  endforeach()
endfunction()

# Narrow elements in global memory, the accumulator's in shared memory; the tile on its way in registers.
says(pipelined_128x128x16
  "waiting        1 tile of A and B, in 32 bytes of a thread's registers;\
elements       2 bytes in global memory, widened to 4 in shared memory and registers;\
by shared memory       4   50720 + 1024 bytes of 233472;\
DRAM: A, B and C once             101 MB ;\
loads from global memory         2.15 GB   64;\
shared memory to registers       68.7 GB   2;\
load B         16 bytes a lane: 16 sectors of 32 bytes, 100 % of them used;\
read B         16 bytes a lane: 2 passes over the banks, no conflict;\
arithmetic       2.11 ms   65.2 TFLOP/s" --type=f16)
says(naive_32x4
  "load A         1 byte a lane: 32 sectors of 32 bytes, 3 % of them used;\
DRAM: A, B and C once             101 MB ;\
arithmetic       4.22 ms   32.6 TOP/s" --type=i8)
says(pipelined_128x128x16
  "waiting        none: ;load B         1 byte a lane: ;write B        4 bytes a lane: " --type=i8 --n=4095)

if(_runs_rings)
# Rings: blocks that share a multiprocessor, registers before and after setmaxnreg, barriers, banks.
says(sm90_simt_tma_128x128x32
  "a block        128 threads that load, 128 that multiply;\
a thread       8 x 16 elements of C;\
full             3 x      8 bytes from  98304 on;\
a full one completes with 1 arrival and 32768 bytes, an empty one with 4 arrivals;\
by registers           2   128 a thread at launch;\
by shared memory       2   98816 + 1024 bytes of 233472;\
so                     2   limited by registers and shared memory;\
setmaxnreg then leaves a thread that loads 24 registers, one that multiplies 232;\
read A         16 bytes a lane: 2 passes over the banks, 2 without conflicts;\
read B         16 bytes a lane: 2 passes over the banks, 2 without conflicts;\
least time     770 us for reading, 2.11 ms for the arithmetic;\
Not counted, because not known: the passes in which TMA writes.")
says(persistent_128x64x32 "C              32 x 64 tiles, of which a block takes one after the other;so                     2 ")
says(sm90_wgmma_128x256x64_2x1
  "a cluster      2 x 1 blocks: A's tile comes in 1 part, B's in 2, ;\
wgmma          m64n256k16, 4 of a warpgroup for 64 of k;\
a full one completes with 1 arrival and 49152 bytes, an empty one with 16 arrivals;\
so                     1 ;8 x 16 bytes   1 pass over the banks as TMA's swizzle leaves them, 8 without it")
says(sm90_wgmma_ping_pong_128x128x64
  "a thread       4 x 32 elements of C;wgmma          m64n128k16, 8 of a warpgroup for 64 of k;\
a full one completes with 1 arrival and 32768 bytes, an empty one with 4 arrivals")
says(fp16x3_128x192x64_2x1
  "a tile         128 x 192 elements of C, 32 of k at a time;wgmma          m64n192k16, 12 of a warpgroup for 64 of k")
endif()

# Prices, measured or predicted: on a GPU its own alone.
set(_devices this)
if(RUN_ON STREQUAL "cpu")
  set(_devices a100 a6000 rtx4090 l40s rtx5090 b200 h100 h200)
endif()
foreach(_device IN LISTS _devices)
  foreach(_type IN LISTS _types)
    tool(_result _output _error --price --device=${_device} --type=${_type} --storage=nt --m=16 --n=777 --k=100000)
    fits("--price --device=${_device} --type=${_type}" "${_output}")
    if(NOT _result EQUAL 0 OR NOT _output MATCHES "\n  policy +slices +launch .* price\n  [^\n]* [0-9.]+\n")
      message(SEND_ERROR "  explain --price --device=${_device} --type=${_type}: exit code ${_result}\n${_error}${_output}")
    endif()
    set(_says "Predicted, not measured: rates of ")
    if(_device MATCHES "^h")
      set(_says "Rates as measured on NVIDIA ")
    endif()
    if(NOT _device STREQUAL "this" AND NOT _output MATCHES "\n${_says}")
      message(SEND_ERROR "  explain --price --device=${_device} must say \"${_says}\"\n${_output}")
    endif()
    if(_device STREQUAL "h200" AND _type STREQUAL "f16" AND NOT _output MATCHES " [*] .*\n  [*] predicted, not measured: ")
      message(SEND_ERROR "  explain --price --type=f16 must mark rows that are bfloat16's\n${_output}")
    endif()
  endforeach()
endforeach()
if(RUN_ON STREQUAL "cpu")
  tool(_result _output _error --price --type=e4m3 --device=a100)
  if(NOT _result EQUAL 0 OR NOT _output MATCHES "\nrun[^\n]* none of its candidates: fp8 needs a device of compute capability 8.9 ")
    message(SEND_ERROR "  explain --price --type=e4m3 --device=a100: exit code ${_result}, needs the reason\n${_error}${_output}")
  endif()
endif()
if(RUN_ON STREQUAL "gpu")
  refuses("--price is for the GPU of this machine, or needs explain built for the CPU device" --price --device=a100)
endif()

set(_pipelined ${_names})
list(FILTER _pipelined INCLUDE REGEX "^pipelined")
string(REPLACE ";" ", " _pipelined "${_pipelined}")
string(REGEX REPLACE ", ([^,]*)$" " or \\1?" _pipelined "${_pipelined}")
refuses("; did you mean ${_pipelined}" --policy=pipelined)
helps("Usage: explain" "--policy NAME" "--svg FOLDER" "--html FILE")
refuses("--policy is \"none\", needs one of the names that --list prints\n" --policy=none)
refuses("--type is \"f8\", needs one of f32, f64, f16, bf16, i8, e4m3" --type=f8)
refuses("--type=e4m3 goes with --price alone" --type=e4m3)
list(GET _names 0 _name)
refuses("; did you mean ${_name}?" --policy "${_name}x")
list(FILTER _names INCLUDE REGEX "^pipelined")
list(GET _names 0 _name)
refuses("; did you mean ${_name}, " --policy "${_name}x")
refuses("--storage is \"nx\", needs one of nn, nt, tn, tt" --storage nx)
refuses("--storage needs a value" --storage)
refuses("--storage needs a value" --storage --list)
refuses("\"--polcy\" is not an option; did you mean --policy?" --polcy naive_32x4)
refuses("\"--sotrage=nn\" is not an option; did you mean --storage?" --sotrage=nn)
refuses("--list takes no value" --list=yes)
refuses("--m is \"0\", needs a number from 1 to 1073741824" --m=0)
refuses("--n is \"4k\", needs a number" --n=4k)
refuses("--k is \"99999999999999999999\", needs a number" --k=99999999999999999999)
refuses("--device is \"abacus\", needs one of this, a100, a6000, rtx4090, l40s, rtx5090, b200, h100, h200"
  --device=abacus)
refuses("--registers is \"256\", needs a number from 1 to 255" --policy=naive_32x4 --registers=256)
if(_runs_rings)
  refuses("--policy=persistent_128x64x32 goes without --type, --storage and --registers"
    --policy=persistent_128x64x32 --storage=nt)
endif()
refuses("--registers needs --policy" --registers=32)
refuses("--svg needs a value" --svg=)
refuses("--html needs a value" --html=)
refuses("--price goes without --policy, --svg and --html" --price --policy=naive_32x4)
refuses("--html goes without --policy, --type, --storage and --svg" --html=page.html --type=f16)
refuses("\"naive_32x4\" is not an option" naive_32x4)

# A value behind a blank is the same; the last of several counts.
tool(_result _with_equals _error --policy=naive_32x4 --m=64 --device=h200)
tool(_result _output _error --m 8 --policy naive_32x4 --m 64 --device h200)
if(NOT _result EQUAL 0 OR NOT _output STREQUAL _with_equals)
  message(SEND_ERROR "  explain --policy naive_32x4 and --policy=naive_32x4 differ\n${_error}${_output}")
endif()
