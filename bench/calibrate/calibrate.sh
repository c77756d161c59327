#!/bin/sh
# Measures a GPU, about three minutes on an H200, and writes its table:
#
#   bench/calibrate/calibrate.sh GEMM_CANDIDATES GEMM_CALIBRATE FOLDER TABLES
#
# FOLDER keeps the times of candidates, TABLES gets <gpu>.hpp: name it in include/gemm/tables/all.hpp. TYPES in the
# environment are the element types that are measured; the others keep the rates that the library has.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 4 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
candidates=$1 calibrate=$2 folder=$3 tables=$4
mkdir -p "$folder"
set --
for dtype in ${TYPES:-f32 bf16 tf32 f64 i8 e4m3 fp16x3}; do
  case $dtype in
    f32) extra="--shapes=$here/../shapes/batches.txt --shapes=$here/one_row.txt --most-flops=1.5e11" ;;
    f64) extra="--sizes=$here/one_row.txt --most-flops=4e10" ;;
    i8) extra="--sizes=$here/one_row.txt" ;;
    *) extra= ;;
  esac
  # shellcheck disable=SC2086 # several words
  "$candidates" "--dtype=$dtype" "--random=${RANDOM_PRODUCTS:-24}" --general=14 --layers=56 --seed=7 --within=4 $extra \
    > "$folder/$dtype.csv"
  set -- "$@" "$folder/$dtype.csv"
done
"$calibrate" "--out=$tables" "$@"
