#!/bin/sh
# compile_cost.sh [--list] [UNIT...]
#
# What the library costs a translation unit: user seconds of nvcc, bytes of the object, kernels in it. All units, or those
# that are named, replace their rows in bench/results/compile_cost.csv, which bench/report.py shows in
# docs/compile-time.md. --list names the units. NVCC names another compiler. Run it on a machine that does nothing else.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nvcc=${NVCC:-nvcc}
results=$here/results/compile_cost.csv
header='unit,command,seconds,bytes,kernels,nvcc,cpu,date'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A unit, the form of the command, and how tests/source/one_run.cu becomes it; without a type another source.
units() {
  cat <<END
empty|-gencode|
#include <gemm/gemm.cuh>|-gencode|
run<coalesced_32x32> of float nn|-gencode|float row row coalesced_32x32
run<pipelined_128x128x16> of float nn|-gencode|float row row pipelined_128x128x16
run<sm90_wgmma_ping_pong_128x128x64> of bf16 nt|-gencode|__nv_bfloat16 row col sm90_wgmma_ping_pong_128x128x64
run of float nn|-gencode|float row row
run of float tt|-gencode|float col col
run of bf16 nt|-gencode|__nv_bfloat16 row col
run of bf16 tt|-gencode|__nv_bfloat16 col col
run of int8 nt|-gencode|std::int8_t row col
run of e4m3 tt|-gencode|__nv_fp8_e4m3 col col
run of float nn|-arch|float row row
run of bf16 nt|-arch|__nv_bfloat16 row col
END
}

# measure UNIT COMMAND [TYPE ORDER_A ORDER_B [POLICY]]: seconds,bytes,kernels. The seconds are the least user time of the
# compilations that begin within ten seconds, three at most.
measure() {
  case $2 in
    -gencode) target="-gencode arch=compute_90a,code=sm_90a" ;;
    -arch) target="-arch=sm_90a" ;;
  esac
  case $1 in
    empty) source=$scratch/empty.cu definitions= ;;
    \#*) source=$scratch/include.cu definitions= ;;
    *)
      source=$here/../tests/source/one_run.cu
      definitions="-DGEMM_TYPE=$3 -DGEMM_A=$4_major -DGEMM_B=$5_major ${6:+-DGEMM_POLICY=$6}"
      ;;
  esac
  begin=$(date +%s)
  : >"$scratch/times"
  for _ in 1 2 3; do
    [ $(($(date +%s) - begin)) -lt 10 ] || break
    # shellcheck disable=SC2086
    /usr/bin/time -f %U -o "$scratch/time" "$nvcc" -std=c++20 -O3 $target "-I$here/../include" $definitions \
      -Xptxas -v -c "$source" -o "$scratch/object" >"$scratch/said" 2>&1 || { cat "$scratch/said" >&2; return 1; }
    cat "$scratch/time" >>"$scratch/times"
  done
  printf '%s,%s,%s\n' "$(sort -n "$scratch/times" | head -n 1)" "$(wc -c <"$scratch/object")" \
    "$(grep -c "Compiling entry function .* for 'sm_90a'" "$scratch/said" || :)"
}

if [ "${1-}" = --list ]; then
  units | cut -d '|' -f 1,2
  exit
fi
[ -x /usr/bin/time ] || { echo "compile_cost.sh: needs /usr/bin/time (Debian's package time)" >&2; exit 1; }
for wanted in "$@"; do
  units | cut -d '|' -f 1 | grep -Fqx "$wanted" || { echo "compile_cost.sh: there is no unit \"$wanted\"" >&2; exit 2; }
done

echo >"$scratch/empty.cu"
echo '#include <gemm/gemm.cuh>' >"$scratch/include.cu"
version=$("$nvcc" --version | sed -n 's/.*, V\([0-9.]*\)$/\1/p')
cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 | tr -d ,)
echo "$header" >"$scratch/results"
units | while IFS='|' read -r unit command how; do
  named=$([ $# -eq 0 ] && echo yes || :)
  for wanted in "$@"; do
    [ "$wanted" != "$unit" ] || named=yes
  done
  if [ -n "$named" ]; then
    # shellcheck disable=SC2086
    figures=$(measure "$unit" "$command" $how) || { echo "compile_cost.sh: $unit does not compile" >&2; exit 1; }
    echo "$unit,$command,$figures,$version,$cpu,$(date +%F)" | tee -a "$scratch/results"
  elif [ -e "$results" ]; then
    grep -F "$unit,$command," "$results" >>"$scratch/results" || :
  fi
done
cp "$scratch/results" "$results"
