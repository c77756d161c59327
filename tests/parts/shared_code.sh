#!/bin/sh
# shared_code.sh NM OBJDUMP OBJECT
#
# Of the functions and objects that all translation units of a program share, because they are inline or of a template,
# none may refer to what is this unit's own: its kernels, and what is remembered of them. Says which does.
set -eu
nm=$1 objdump=$2 object=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$nm" "$object" >"$scratch/symbols"
"$objdump" -r -w "$object" >"$scratch/relocations"
awk '
  function symbol_of(section) {
    sub(/^\.(text(\.unlikely|\.startup)?|rodata|data(\.rel(\.ro)?(\.local)?)?|bss|tbss|tdata)\./, "", section)
    return section
  }
  FNR == NR { kind[$NF] = $(NF - 1); next }
  /^RELOCATION RECORDS FOR/ {
    from = substr($4, 2, length($4) - 3)
    from = symbol_of(from)
    # What is unnamed has a name of its own in every unit.
    shared = from ~ /4gemm/ && from !~ /_GLOBAL__N_/ && kind[from] ~ /[WVu]/
    functions += shared
    next
  }
  shared && NF == 3 {
    to = $3
    sub(/[-+]0x[0-9a-f]+$/, "", to)
    to = symbol_of(to)
    if (to ~ /^\.(text|bss|data)$/ || (to ~ /4gemm/ && kind[to] ~ /[tbdr]/)) {
      print from " refers to " to
    }
  }
  END { print functions + 0 >"/dev/stderr" }' "$scratch/symbols" "$scratch/relocations" >"$scratch/found" 2>"$scratch/count"
if [ "$(cat "$scratch/count")" -lt 100 ]; then
  echo "shared_code.sh: only $(cat "$scratch/count") functions and objects are shared: is the object of g++?" >&2
  exit 1
fi
if [ -s "$scratch/found" ]; then
  sort -u "$scratch/found" | c++filt
  exit 1
fi
