#!/bin/sh
# What the library costs a translation unit: user seconds of nvcc, the best of three, as a Markdown table. Run it on a
# machine that does nothing else. NVCC names another compiler, ARCH another GPU.
set -eu
include=$(cd "$(dirname "$0")/../include" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

call() { # call POLICY TYPE: a translation unit with one call of run
  cat <<END
#include <gemm/gemm.cuh>
gemm::status f($2 const* a, $2 const* b, $2* c, int n) {
  return gemm::run$1(gemm::row_major(a, n, n), gemm::row_major(b, n, n), gemm::row_major(c, n, n));
}
END
}

seconds() { # seconds FILE: the least user time of three compilations
  for _ in 1 2 3; do
    /usr/bin/time -f %U -o "$scratch/time" "${NVCC:-nvcc}" -std=c++20 -O3 \
      "-gencode=arch=compute_${ARCH:-90a},code=sm_${ARCH:-90a}" "-I$include" -c "$1" -o "$scratch/object" >&2 || return 1
    cat "$scratch/time"
  done >"$scratch/times"
  sort -n "$scratch/times" | head -n 1
}

row() { # row NAME FILE
  taken=$(seconds "$2") || { echo "compile_cost.sh: $1 does not compile" >&2; exit 1; }
  echo "| $1 | $taken |"
}

echo >"$scratch/empty.cu"
echo '#include <gemm/gemm.cuh>' >"$scratch/include.cu"
call "<gemm::coalesced_32x32>" float >"$scratch/small.cu"
call "<gemm::pipelined_128x128x16>" float >"$scratch/large.cu"
call "<gemm::tensor_core_ping_pong_128x128x64>" __nv_bfloat16 >"$scratch/tensor.cu"
call "" float >"$scratch/choice.cu"
call "" __nv_bfloat16 >"$scratch/tensor_choice.cu"

echo "| translation unit | user seconds |"
echo "|---|---|"
row "empty" "$scratch/empty.cu"
row "\`#include <gemm/gemm.cuh>\`" "$scratch/include.cu"
row "\`run<gemm::coalesced_32x32>\`" "$scratch/small.cu"
row "\`run<gemm::pipelined_128x128x16>\`" "$scratch/large.cu"
row "\`run<gemm::tensor_core_ping_pong_128x128x64>\` of bfloat16" "$scratch/tensor.cu"
row "\`run\` of float, which chooses from thirty-three policies, whole or split" "$scratch/choice.cu"
row "\`run\` of bfloat16, which chooses from thirty-seven (nt: thirty-nine)" "$scratch/tensor_choice.cu"
