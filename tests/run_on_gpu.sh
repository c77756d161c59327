#!/bin/sh
# Builds the tests for this machine's GPU and runs them in shards, a line a shard:
#
#   tests/run_on_gpu.sh [build|tests|memcheck|racecheck|synccheck|initcheck]...
#
# Without a name: tests. The last four are tools of compute-sanitizer. A build comes first. Environment:
#
#   JOBS      processes at a time (the number of cores)
#   SHARDS    shards of a tool (6 times JOBS); each has some policies of every property, or some of the other cases
#   LIMIT     seconds that a shard may take (150; under a sanitizer 300)
#   DEADLINE  seconds after which no shard begins and those that run end (none)
#   OVER      Catch2's test specification (all; under a sanitizer "[sanitizer]")
#   LOGS      the folder for what each shard prints (build/gpu/shards)
#   TESTS     an executable that is built already (build/gpu/tests/gemm_tests, after a build)
#
# The build prints which sources took longest. A tool prints a line of verification.csv at its end.
# Exit code 1: a case failed, a shard was not finished, or a sanitizer reported an error.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.." || exit 2
: "${JOBS:=$(nproc)}" "${LOGS:=build/gpu/shards}" "${DEADLINE:=0}" "${BEGIN:=$(date +%s)}" "${TESTS:=}"
export JOBS LOGS DEADLINE BEGIN TESTS
# What calls for_each_subject, which takes a share of the policies.
properties="products identities special batches"

build() {
  begin=$(date +%s)
  generator=
  if [ ! -e build/gpu/CMakeCache.txt ] && command -v ninja >/dev/null; then generator=-GNinja; fi
  cmake --preset gpu $generator -DGEMM_BUILD_EXAMPLES=OFF -DGEMM_BUILD_BENCH=OFF >"$LOGS/configure.log" 2>&1 || {
    cat "$LOGS/configure.log" >&2
    return 1
  }
  configured=$(date +%s)
  log=build/gpu/.ninja_log
  before=$([ ! -e $log ] || wc -l <$log)
  cmake --build --preset gpu --target gemm_tests --parallel "$JOBS" >"$LOGS/build.log" 2>&1 || {
    grep -v '^\[' "$LOGS/build.log" | tail -40 >&2
    return 1
  }
  echo "build: $(($(date +%s) - configured)) s after $((configured - begin)) s of configuration, $JOBS jobs"
  [ ! -e $log ] || awk -v before="${before:-0}" '
    NR > before && /^[0-9]/ {
      took = ($2 - $1) / 1000
      sum += took
      printf "%8.1f s, from %6.1f s: %s\n", took, $1 / 1000, $4
    }
    END { printf "%8.1f s: sum of all\n", sum }' $log | sort -rn | head -16
}

# What Catch2's XML reporter says: a line for each case, with "passed", "failed", "skipped" or "unfinished", seconds and
# name.
cases_of() {
  awk '
    function finish(state, seconds) { if (name != "") print ended ? "unfinished" : state, seconds, name; name = "" }
    /^ *SIGTERM - / { ended = 1 }
    /^ *<TestCase / { finish("unfinished", 0); name = $0; sub(/^ *<TestCase name="/, "", name); sub(/" .*/, "", name)
      gsub(/&quot;/, "\"", name); gsub(/&lt;/, "<", name); gsub(/&amp;/, "\\&", name) }
    /^ *<OverallResult / {
      seconds = $0
      if (!sub(/.* durationInSeconds="/, "", seconds)) seconds = 0
      sub(/".*/, "", seconds)
      finish($0 !~ /success="true"/ ? "failed" : $0 ~ /skips="[1-9]/ ? "skipped" : "passed", seconds)
    }
    END { finish("unfinished", 0) }' "$@"
}

# spec_of properties|others: the cases of OVER that are properties, or all others.
spec_of() {
  echo "$over" | awk -v kind="$1" -v properties="$properties" '{
    parts = $0 == "" ? split(" ", part, ",") : split($0, part, ",")
    tags = split(properties, tag, " ")
    for (p = 1; p <= parts; ++p) {
      sub(/^ +/, "", part[p])
      if (kind == "others") {
        spec = spec (spec == "" ? "" : ",") part[p]
        for (t = 1; t <= tags; ++t) spec = spec "~[" tag[t] "]"
      } else {
        for (t = 1; t <= tags; ++t) spec = spec (spec == "" ? "" : ",") part[p] "[" tag[t] "]"
      }
    }
    print spec
  }'
}

# shard TOOL INDEX COUNT: even ones are of the properties, which take longer; the others of all other cases.
shard() {
  tool=$1 index=$2 count=$3
  half=$((count / 2)) of=$((index / 2 + 1))
  log=$LOGS/$tool.$index
  limit=${LIMIT:-$([ "$tool" = tests ] && echo 150 || echo 300)}
  over=${OVER-$([ "$tool" = tests ] || echo '[sanitizer]')}
  set -- "$TESTS" --reporter console::out="$log.log" --reporter xml::out="$log.xml" --durations yes \
    --allow-running-no-tests
  if [ $((index % 2)) = 0 ]; then
    name="properties $of/$half"
    GEMM_TEST_SHARE=$of/$half
    export GEMM_TEST_SHARE
    spec=$(spec_of properties)
  else
    name="others $of/$half"
    spec=$(spec_of others)
    # In another order than the sources', whose cases of one kind lie together.
    set -- "$@" --order rand --rng-seed 1 --shard-count "$half" --shard-index "$((of - 1))"
  fi
  set -- "$@" "$spec"
  if [ "$tool" != tests ]; then
    set -- compute-sanitizer --tool "$tool" --log-file "$log.report" --print-limit 20 "$@"
  fi
  begin=$(date +%s)
  if [ "$DEADLINE" -gt 0 ]; then
    left=$((BEGIN + DEADLINE - begin))
    [ "$left" -ge "$limit" ] || limit=$left
    if [ "$limit" -le 0 ]; then
      printf '%s %s: not run, the deadline has passed\n' "$tool" "$name"
      : >"$log.cases"
      return
    fi
  fi
  : >"$log.xml"
  timeout -k 5 "$limit" "$@" >"$log.out" 2>&1
  code=$?
  cases_of "$log.xml" >"$log.cases"
  errors=
  if [ "$tool" != tests ]; then
    errors=$(sed -n -E 's/^=* (ERROR|RACECHECK) SUMMARY: ([0-9]+) .*/\2/p' "$log.report" | tail -1)
    echo "${errors:-0}" >"$log.errors"
    errors=" ${errors:-unknown} errors,"
  fi
  end=
  if [ $code = 124 ] || [ $code = 137 ]; then
    end=", ended after the $limit s that it may take"
  elif grep -q '^</Catch2TestRun>' "$log.xml" && ! grep -q '<FatalErrorCondition' "$log.xml"; then
    : >"$log.finished"
  else
    end=", exit code $code"
  fi
  awk -v head="$tool $name:" -v errors="$errors" -v seconds="$(($(date +%s) - begin))" -v end="$end" '
    { ++n[$1]; if ($1 == "unfinished") { last = $0; sub(/^[^ ]* [^ ]* /, "", last) } }
    END {
      printf "%s %d passed, %d failed,%s %d s%s", head, n["passed"], n["failed"], errors, seconds, end
      print last == "" ? "" : ", in: " last
    }' "$log.cases"
}

# summary TOOL COUNT BEGIN: a case that several shards have a share of is one.
summary() {
  tool=$1 count=$2 begin=$3
  over=${OVER-$([ "$tool" = tests ] || echo '[sanitizer]')}
  total=$("$TESTS" --list-tests --verbosity quiet ${over:+"$over"} | grep -c .)
  cat "$LOGS/$tool".*.cases | awk -v tool="$tool" -v shards="$count" \
    -v finished="$(find "$LOGS" -name "$tool.*.finished" | grep -c .)" \
    -v errors="$(cat "$LOGS/$tool".*.errors 2>/dev/null | awk '{ n += $1 } END { print n }')" -v total="$total" \
    -v seconds="$(($(date +%s) - begin))" \
    -v line="$(date +%F),$version,$commit,$driver,$tool,$(echo "${over:-all}" | sed 's/.*,.*/"&"/')" '
    function rank(s) { return s == "failed" ? 3 : s == "unfinished" ? 2 : s == "passed" }
    { state = $1; sub(/^[^ ]* [^ ]* /, ""); if (!($0 in worst) || rank(state) > rank(worst[$0])) worst[$0] = state }
    END {
      for (name in worst) {
        ++n[worst[name]]
        ++seen
        if (rank(worst[name]) > 1) print tool ": " worst[name] ": " name
      }
      printf "%s: %d cases passed, %d failed, %d skipped, %d unfinished, %d not run, %d of %d shards finished, %d s\n",
        tool, n["passed"], n["failed"], n["skipped"], n["unfinished"], total - seen, finished, shards, seconds
      printf "%s,%d,%d,%d,%s,\n", line, total - n["skipped"], n["passed"], n["failed"], errors
      exit n["failed"] + n["unfinished"] + total - seen + errors > 0 || finished != shards
    }'
}

# run TOOL: the slowest cases of several shards, and what failed.
run() {
  tool=$1
  count=${SHARDS:-$((JOBS * 6))}
  count=$(((count + 1) / 2 * 2))
  begin_tool=$(date +%s)
  rm -f "$LOGS/$tool".*
  i=0
  while [ $i -lt "$count" ]; do
    echo $i
    i=$((i + 1))
  done | xargs -P "$JOBS" -I INDEX sh "$here/run_on_gpu.sh" --shard "$tool" INDEX "$count"
  # Why a shard failed, the first three.
  for cases in $(grep -l '^failed' "$LOGS/$tool".*.cases | head -3); do tail -40 "${cases%.cases}.log"; done
  cat "$LOGS/$tool".*.cases | sort -k2 -rn | awk -v tool="$tool" 'NR <= 5 { printf "%s: longest: %s\n", tool, $0 }'
  summary "$tool" "$count" "$begin_tool"
}

if [ "${1-}" = --shard ]; then
  shift
  shard "$@"
  exit
fi
[ $# -gt 0 ] || set -- tests
for tool in "$@"; do
  case $tool in
    build | tests | memcheck | racecheck | synccheck | initcheck) ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
mkdir -p "$LOGS" || exit 2
version=$(sed -n -E 's/^#define GEMM_VERSION_[A-Z]+ ([0-9]+)$/\1/p' include/gemm/version.hpp | paste -sd.)
commit=$(git describe --always --dirty --exclude='*' 2>/dev/null)
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -1)
if [ -z "$TESTS" ]; then
  build || exit 1
  TESTS=build/gpu/tests/gemm_tests
fi
status=0
for tool in "$@"; do
  [ "$tool" = build ] || run "$tool" || status=1
done
exit $status
