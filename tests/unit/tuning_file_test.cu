// SPDX-License-Identifier: BSL-1.0
//! @file
//! The file of a tuning cache: links, modes, owners, and what is found out before anything is measured.

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include <gemm/tune/load.hpp>
#include <gemm/tune/write_cache.hpp>

#include "../support/tuning_folder.hpp"

namespace {

using Catch::Matchers::ContainsSubstring;
using gemm::detail::check_cache;
using gemm::detail::tuning_record;
using gemm::detail::write_cache;
using test::cache_of;
using test::record_of;

struct stat facts_of(std::string const& path) {
  struct stat facts {};
  REQUIRE(stat(path.c_str(), &facts) == 0);
  return facts;
}

mode_t mode_of(std::string const& path) { return facts_of(path).st_mode & 0777; }

bool is_there(std::string const& path) {
  struct stat facts {};
  return lstat(path.c_str(), &facts) == 0;
}

bool is_link(std::string const& path) {
  struct stat facts {};
  return lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
}

/// The exit code of a process of a user without rights; 0 for true.
template <class Action>
int as_nobody(Action action) {
  constexpr unsigned nobody = 65534;
  pid_t const child = fork();
  if (child == 0) {
    bool const dropped = geteuid() != 0 || (setegid(nobody) == 0 && seteuid(nobody) == 0);
    _exit(!dropped ? 2 : action() ? 0 : 1);
  }
  int result = -1;
  REQUIRE(waitpid(child, &result, 0) == child);
  return WIFEXITED(result) ? WEXITSTATUS(result) : -1;
}

bool fails_with(gemm::status const& status, std::string const& what) {
  return status.code() == gemm::status_code::file_failure && std::string(status.message()).find(what) != what.npos;
}

}  // namespace

TEST_CASE("no test finds the plans of the one before", "[tune]") {
  int const run = GENERATE(1, 2);
  CAPTURE(run);
  tuning_record const record = record_of(512, 512, 512, "pipelined_32x64x32");
  CHECK(gemm::detail::tuned_plans.find(0, 1, record.problem) == nullptr);
  gemm::detail::add_plan(0, gemm::detail::plan_table::any_code, record.problem, record.plan);
}

TEST_CASE("a cache is written through symbolic links", "[tune]") {
  test::tuning_folder const folder;
  REQUIRE(mkdir(folder.path("elsewhere").c_str(), 0777) == 0);
  tuning_record const first = record_of(512, 512, 512, "pipelined_32x64x32"),
                      second = record_of(64, 64, 64, "pipelined_32x64x32");
  std::string const target = folder.write(cache_of(first), "elsewhere/target");
  REQUIRE(symlink("target", folder.path("elsewhere/middle").c_str()) == 0);
  REQUIRE(symlink("elsewhere/middle", folder.path("link").c_str()) == 0);
  REQUIRE(symlink(target.c_str(), folder.path("absolute").c_str()) == 0);

  CHECK(check_cache(folder.path("link")));
  CHECK(folder.read("elsewhere/target") == cache_of(first));
  REQUIRE(write_cache(folder.path("link"), second));
  CHECK(folder.read("elsewhere/target") == cache_of(first, second));
  REQUIRE(write_cache(folder.path("absolute"), first));
  CHECK(folder.read("elsewhere/target") == cache_of(second, first));
  for (char const* const name : {"link", "absolute", "elsewhere/middle"}) {
    CHECK(is_link(folder.path(name)));
    gemm::tuning_report report;
    REQUIRE(gemm::load_tuning(folder.path(name), &report));
    CHECK(report.plans == 2);
  }
  CHECK(is_there(folder.path("elsewhere/target.lock")));  // one lock, whatever the name
  CHECK_FALSE(is_there(folder.path("link.lock")));
}

TEST_CASE("a dangling link makes its target, and a loop is said", "[tune]") {
  test::tuning_folder const folder;
  tuning_record const record = record_of(512, 512, 512, "pipelined_32x64x32");
  REQUIRE(symlink("new", folder.path("link").c_str()) == 0);
  CHECK(check_cache(folder.path("link")));
  CHECK_FALSE(is_there(folder.path("new")));
  CHECK_FALSE(is_there(folder.path("new.new")));
  REQUIRE(write_cache(folder.path("link"), record));
  CHECK(is_link(folder.path("link")));
  CHECK(folder.read("new") == cache_of(record));

  REQUIRE(symlink("here", folder.path("there").c_str()) == 0);
  REQUIRE(symlink("there", folder.path("here").c_str()) == 0);
  for (gemm::status const& status : {check_cache(folder.path("here")), write_cache(folder.path("here"), record),
                                     gemm::load_tuning(folder.path("here"))}) {
    CHECK(status.code() == gemm::status_code::file_failure);
    CHECK_THAT(status.message(), ContainsSubstring("cannot read the tuning cache") &&
                                     ContainsSubstring("Too many levels of symbolic links"));
  }
  REQUIRE(symlink("no/folder", folder.path("nowhere").c_str()) == 0);
  CHECK(fails_with(check_cache(folder.path("nowhere")), "cannot lock the tuning cache"));
}

TEST_CASE("a cache keeps its mode and its owner, a new one heeds the umask", "[tune]") {
  test::tuning_folder const folder;
  tuning_record const record = record_of(512, 512, 512, "pipelined_32x64x32");
  std::string const path = folder.write(cache_of());
  for (mode_t const mode : {0600, 0664, 0640, 0666}) {
    REQUIRE(chmod(path.c_str(), mode) == 0);
    CHECK(check_cache(path));
    CHECK(mode_of(path) == mode);
    REQUIRE(write_cache(path, record));
    CHECK(mode_of(path) == mode);
    CHECK(mode_of(path + ".lock") == mode);  // or others who may write it cannot lock it
  }
  constexpr unsigned other = 65534;
  if (chown(path.c_str(), other, other) == 0) {  // by root alone
    REQUIRE(write_cache(path, record));
    CHECK(facts_of(path).st_uid == other);
    CHECK(facts_of(path).st_gid == other);
    CHECK(mode_of(path) == 0666);
  }
  for (mode_t const mask : {0027, 0000}) {
    mode_t const before = umask(mask);
    std::string const made = folder.path(mask == 0 ? "open" : "closed");
    gemm::status const written = write_cache(made, record);
    umask(before);
    REQUIRE(written);
    CHECK(mode_of(made) == (0666 & ~mask));
  }
}

TEST_CASE("an empty file is a cache without plans, and becomes one with", "[tune]") {
  test::tuning_folder const folder;
  tuning_record const record = record_of(512, 512, 512, "pipelined_32x64x32");
  std::string const path = folder.write("");
  REQUIRE(chmod(path.c_str(), 0600) == 0);  // as mktemp makes it
  gemm::tuning_report report{.plans = 7, .ignored = 7};
  REQUIRE(gemm::load_tuning(path, &report));
  CHECK(report.plans == 0);
  CHECK(report.ignored == 0);
  CHECK(check_cache(path));
  CHECK(folder.read().empty());
  REQUIRE(write_cache(path, record));
  CHECK(folder.read() == cache_of(record));
  CHECK(mode_of(path) == 0600);
}

TEST_CASE("what cannot be written is found out before, and left alone", "[tune]") {
  test::tuning_folder const folder;
  tuning_record const record = record_of(512, 512, 512, "pipelined_32x64x32");
  CHECK(fails_with(check_cache(folder.path("")), "Is a directory"));
  CHECK(fails_with(check_cache(folder.path("no/folder")), "No such file or directory"));
  CHECK(fails_with(check_cache(folder.write("#include\n", "source")), "to be a tuning cache"));
  CHECK_FALSE(is_there(folder.path("source.lock")));
  CHECK(fails_with(check_cache(folder.write("", "file") + "/cache"), "Not a directory"));
  REQUIRE(mkfifo(folder.path("fifo").c_str(), 0600) == 0);  // to open it would wait for its other end
  REQUIRE(symlink("/dev/null", folder.path("null").c_str()) == 0);
  for (std::string const& path : {folder.path("fifo"), folder.path("null")}) {
    CHECK(fails_with(check_cache(path), "is no regular file"));
    CHECK(fails_with(write_cache(path, record), "is no regular file"));
  }
  CHECK_FALSE(is_there("/dev/null.lock"));

  // As root, everything may be written.
  std::string const closed = folder.path("closed");
  REQUIRE(mkdir(closed.c_str(), 0755) == 0);
  std::string const inside = folder.write(cache_of(), "closed/cache"), unreadable = folder.write(cache_of(), "secret"),
                    fixed = folder.write(cache_of(), "fixed");
  REQUIRE(chmod(folder.path("").c_str(), 0777) == 0);
  REQUIRE(chmod(inside.c_str(), 0666) == 0);
  REQUIRE(chmod(closed.c_str(), 0555) == 0);
  REQUIRE(chmod(unreadable.c_str(), 0000) == 0);
  REQUIRE(chmod(fixed.c_str(), 0444) == 0);
  CHECK(as_nobody([&] { return fails_with(check_cache(inside), "Permission denied"); }) == 0);
  CHECK(as_nobody([&] { return fails_with(check_cache(closed + "/new"), "Permission denied"); }) == 0);
  CHECK(as_nobody([&] { return fails_with(check_cache(unreadable), "cannot read the tuning cache"); }) == 0);
  CHECK(as_nobody([&] { return fails_with(check_cache(fixed), "cannot write the tuning cache"); }) == 0);
  CHECK(as_nobody([&] { return fails_with(write_cache(fixed, record), "cannot write the tuning cache"); }) == 0);
  CHECK(as_nobody([&] { return static_cast<bool>(write_cache(folder.path("mine"), record)); }) == 0);
  CHECK(folder.read("fixed") == cache_of());
  CHECK(folder.read("closed/cache") == cache_of());
  REQUIRE(chmod(closed.c_str(), 0755) == 0);  // so that it can be removed
}
