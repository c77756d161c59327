#!/bin/sh
# fetch_debs.sh STATE PREFIX SUITE PACKAGE...
#
# Downloads packages of this machine's distribution, with their direct dependencies, and unpacks them under PREFIX.
# SUITE is "release" or "backports"; STATE is a folder for apt's files. Uses the machine's own apt sources, needs no
# root, leaves the system's apt alone, and lets apt check the signatures as always.
set -eu
state=$1 prefix=$2 suite=$3
shift 3

command -v apt-get >/dev/null || { echo "there is no apt-get on this machine" >&2; exit 1; }
. /etc/os-release
release=$VERSION_CODENAME
wanted="$release $release-backports"
case $suite in backports) target=$release-backports ;; *) target=$release ;; esac
archives=$state/$suite-$1
mkdir -p "$state/lists/partial" "$state/parts" "$archives/archives/partial" "$prefix"

# The machine's own sources for this release, aimed at the release and its backports; first those of deb822 form, a
# stanza at a time, then the one-line ones.
for file in /etc/apt/sources.list.d/*.sources; do
  [ -r "$file" ] || continue
  awk -v release="$release" -v wanted="$wanted" '
    BEGIN { RS = ""; FS = "\n" }
    {
      keep = 0
      text = ""
      for (i = 1; i <= NF; ++i) {
        line = $i
        if (line ~ /^#/) continue
        if (tolower(line) ~ /^enabled:[ \t]*no/) { keep = 0; text = ""; break }
        if (line ~ /^Suites:/) {
          n = split(line, word, /[ \t]+/)
          for (j = 2; j <= n; ++j) if (word[j] == release) keep = 1
          line = "Suites: " wanted
        }
        text = text line "\n"
      }
      if (keep) print text
    }' "$file"
done >"$state/parts/own.sources"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -r "$file" ] || continue
  awk -v release="$release" -v wanted="$wanted" '
    $1 == "deb" {
      for (i = 2; i <= NF; ++i)
        if ($i == release) {
          n = split(wanted, suite, " ")
          for (j = 1; j <= n; ++j) { $i = suite[j]; print }
          next
        }
    }' "$file"
done >"$state/own.list"
if [ ! -s "$state/own.list" ] && [ ! -s "$state/parts/own.sources" ]; then
  echo "this machine has no apt source for $release" >&2
  exit 1
fi

# With an empty package state: what is installed here must not decide what is fetched.
: >"$state/status"
own() {
  tool=$1
  shift
  "$tool" -q -o Dir::Etc::sourcelist="$state/own.list" -o Dir::Etc::sourceparts="$state/parts" \
    -o Dir::State="$state" -o Dir::State::lists="$state/lists" -o Dir::State::status="$state/status" \
    -o Dir::Cache="$archives" -o APT::Default-Release="$target" -o APT::Sandbox::User="$(id -un)" \
    -o Acquire::Languages=none -o Acquire::Retries=2 "$@"
}
[ -e "$state/updated" ] || { own apt-get update && : >"$state/updated"; }

# A -dev package needs its run-time library beside it, whose name differs from release to release.
needs=$(own apt-cache depends --important "$@" | awk '$1 == "Depends:" && $2 !~ /^</ { print $2 }' | sort -u)
cd "$archives"
# shellcheck disable=SC2086
own apt-get download "$@" $needs
for deb in "$archives"/*.deb; do dpkg-deb -x "$deb" "$prefix"; done
