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
    /usr/bin/time -f %U "${NVCC:-nvcc}" -std=c++20 -O3 "-gencode=arch=compute_${ARCH:-90a},code=sm_${ARCH:-90a}" \
      "-I$include" -c "$1" -o "$scratch/object" 2>&1
  done | sort -n | head -n 1
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
echo "| empty | $(seconds "$scratch/empty.cu") |"
echo "| \`#include <gemm/gemm.cuh>\` | $(seconds "$scratch/include.cu") |"
echo "| \`run<gemm::coalesced_32x32>\` | $(seconds "$scratch/small.cu") |"
echo "| \`run<gemm::pipelined_128x128x16>\` | $(seconds "$scratch/large.cu") |"
echo "| \`run<gemm::tensor_core_ping_pong_128x128x64>\` of bfloat16 | $(seconds "$scratch/tensor.cu") |"
echo "| \`run\` of float, which chooses from thirty-one policies, whole or split | $(seconds "$scratch/choice.cu") |"
echo "| \`run\` of bfloat16, which chooses from thirty-seven (nt: thirty-nine) | $(seconds "$scratch/tensor_choice.cu") |"
