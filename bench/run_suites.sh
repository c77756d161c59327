#!/bin/sh
# Runs the suites of the committed results, about a quarter of an hour on an H200, and leaves <suite>.json in a folder:
#
#   bench/run_suites.sh GEMM_BENCH FOLDER [SUITE...]
#
# Without names it runs all, and then PyTorch and Triton (<suite>_peers.json) where PYTHON (python3) has them. A suite
# that fails, or takes longer than LIMIT (360) seconds, costs the others nothing. Exit code 1: one of them did.
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bench=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- ladder types sweep sweep_bf16 sweep_f16 epilogues scales batches f32 fp32_emulated sustained accuracy f64 bf16 f16 tf32 i8 e4m3 layers few_rows batch_invariant storages neighbours peers
mkdir -p "$folder" || exit 1
failed=

# The rung of each family with the README's name, and the library's choice.
rungs='^(naive|coalesced|shared_tile|block_tile|vectorized|warp_tile|pipelined_128x128|automatic)'

run() { # run SUITE REPETITIONS BUDGET [FLAG...]: the list of shapes has the suite's name
  suite=$1 repetitions=$2 budget=$3
  shift 3
  out=$folder/$suite.json begin=$(date +%s)
  timeout "${LIMIT:-360}" "$bench" "--shapes=$here/shapes/$suite.txt" "--benchmark_repetitions=$repetitions" \
    "--budget=$budget" "$@" --benchmark_out_format=json "--benchmark_out=$out.part"
  code=$?
  [ $code -eq 0 ] || failed="$failed $suite($code)"
  # With exit code 1 some of its benchmarks have failed; what was measured is there all the same.
  if [ $code -le 1 ] && [ -s "$out.part" ]; then mv "$out.part" "$out"; fi
  echo "run_suites.sh: $suite took $(($(date +%s) - begin)) s, exit code $code" >&2
}

peers() { # peers SUITE: PyTorch and Triton on the suite's shapes
  begin=$(date +%s)
  timeout "${LIMIT:-360}" "${PYTHON:-python3}" "$here/peers.py" "--shapes=$here/shapes/$1.txt" \
    "--out=$folder/$1_peers.json"
  code=$?
  [ $code -eq 0 ] || failed="$failed $1_peers($code)"
  echo "run_suites.sh: $1_peers took $(($(date +%s) - begin)) s, exit code $code" >&2
}

accuracy() { # gemm_accuracy, which is beside gemm_bench
  begin=$(date +%s)
  out=$folder/accuracy.json
  timeout "${LIMIT:-360}" "$(dirname "$bench")/gemm_accuracy" --benchmark_out_format=json "--benchmark_out=$out.part"
  code=$?
  [ $code -eq 0 ] || failed="$failed accuracy($code)"
  if [ $code -le 1 ] && [ -s "$out.part" ]; then mv "$out.part" "$out"; fi
  echo "run_suites.sh: accuracy took $(($(date +%s) - begin)) s, exit code $code" >&2
}

for suite in "$@"; do
  case $suite in
    ladder) run ladder 5 0.2 "--policies=$rungs|^sm90_simt_tma_128x128" ;;
    types) run types 3 0.1 "--policies=$rungs" ;;
    sweep) run sweep 3 0.1 '--policies=^(pipelined_128x128|sm90_simt_tma_128x128|automatic)' ;;
    epilogues) run epilogues 5 0.15 --suite=epilogues ;;
    scales) run scales 3 0.06 --suite=scales ;;
    batches) run batches 3 0.1 '--policies=^automatic$' ;;
    fp32_emulated) run fp32_emulated 3 0.3 '--policies=^(automatic|fp32_emulated)$' ;;
    sweep_bf16 | sweep_f16 | f32 | f64 | bf16 | f16 | tf32 | i8 | e4m3 | layers | storages)
      run "$suite" 3 0.06 '--policies=^automatic$' ;;
    few_rows) run few_rows 3 0.02 --suite=few_rows ;;
    neighbours) run neighbours 3 0.05 '--policies=^automatic$' ;;
    batch_invariant) run batch_invariant 3 0.05 '--policies=^(automatic|batch_invariant)$' --peers=off ;;
    sustained) run sustained 3 1 --warm=0.5 '--policies=^(fp32_emulated|bf16x6|automatic)' ;;
    accuracy) accuracy ;;
    peers) peers ladder && peers types && peers scales ;;
    *) echo "run_suites.sh: there is no suite $suite" >&2; failed="$failed $suite" ;;
  esac
done
[ -z "$failed" ] || { echo "run_suites.sh: failed:$failed" >&2; exit 1; }
