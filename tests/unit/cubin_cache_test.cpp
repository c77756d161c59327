// SPDX-License-Identifier: BSL-1.0
//! @file
//! The cache of kernels that are compiled at run time (examples/runtime_compiled).

#include "../../examples/runtime_compiled/cubin_cache.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// A folder of its own, which is removed at the end.
class folder {
 public:
  folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gemm_cubins_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() { std::filesystem::remove_all(path_); }

  std::filesystem::path const& path() const { return path_; }
  std::size_t files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] auto const& file : std::filesystem::directory_iterator(path_)) {
      ++count;
    }
    return count;
  }

 private:
  std::filesystem::path path_;
};

example::cubin_key const key{"0.1.0", "13.0", "sm_90a", {"-std=c++20", "-I/include"}, "source", "kernel"};
example::cubin const compiled{std::string("code\0\n7\n", 8), "name"};

}  // namespace

TEST_CASE("a cubin is found under its own key alone", "[cubins]") {
  folder const there;
  example::cubin_cache const cache(there.path() / "made" / "here");
  CHECK_FALSE(cache.find(key).has_value());
  REQUIRE_FALSE(cache.store(key, compiled));
  auto const found = cache.find(key);
  REQUIRE(found.has_value());
  CHECK(found->code == compiled.code);
  CHECK(found->kernel == compiled.kernel);

  std::vector<example::cubin_key> others(7, key);
  others[0].library = "0.1.1";
  others[1].compiler = "13.1";
  others[2].architecture = "sm_80";
  others[3].options.push_back("-G");
  others[4].source = "another source";
  others[5].kernel = "another kernel";
  others[6].options = {"-std=c++20-I/include"};
  for (auto const& other : others) {
    CHECK_FALSE(cache.find(other).has_value());
    CHECK(cache.file_of(other) != cache.file_of(key));
  }
}

TEST_CASE("a cubin that is stored again replaces the file as a whole", "[cubins]") {
  folder const there;
  example::cubin_cache const cache(there.path());
  REQUIRE_FALSE(cache.store(key, compiled));
  REQUIRE_FALSE(cache.store(key, {"more", "other"}));
  CHECK(there.files() == 1);
  REQUIRE(cache.find(key).has_value());
  CHECK(cache.find(key)->code == "more");
}

TEST_CASE("a file that is not whole, or is another key's, is no cubin", "[cubins]") {
  folder const there;
  example::cubin_cache const cache(there.path());
  REQUIRE_FALSE(cache.store(key, compiled));
  auto const file = cache.file_of(key);
  auto const size = std::filesystem::file_size(file);
  for (std::uintmax_t left = 0; left < size; ++left) {
    std::filesystem::resize_file(file, left);
    CHECK_FALSE(cache.find(key).has_value());
    REQUIRE_FALSE(cache.store(key, compiled));
  }
  std::ofstream(file, std::ios::app) << "more";
  CHECK_FALSE(cache.find(key).has_value());

  example::cubin_key other = key;
  other.source = "another source";
  REQUIRE_FALSE(cache.store(other, compiled));
  std::filesystem::rename(cache.file_of(other), file);
  CHECK_FALSE(cache.find(key).has_value());
}

TEST_CASE("a folder that cannot be made is an error, and an empty one has nothing", "[cubins]") {
  folder const there;
  std::ofstream(there.path() / "file") << "no folder";
  CHECK(example::cubin_cache(there.path() / "file" / "below").store(key, compiled));
  CHECK(there.files() == 1);
  CHECK_FALSE(example::cubin_cache({}).find(key).has_value());
  CHECK(example::cubin_cache({}).store(key, compiled));
}

TEST_CASE("the folder is the environment's, else in the user's cache", "[cubins]") {
  struct variable {
    char const* name;
    std::string before;
    bool was_set;
    explicit variable(char const* n) : name(n), was_set(std::getenv(n) != nullptr) {
      before = was_set ? std::getenv(n) : "";
    }
    ~variable() { was_set ? setenv(name, before.c_str(), 1) : unsetenv(name); }
  };
  variable const named("GEMM_CUBIN_CACHE"), caches("XDG_CACHE_HOME"), home("HOME");
  setenv("GEMM_CUBIN_CACHE", "/named", 1);
  setenv("XDG_CACHE_HOME", "/caches", 1);
  setenv("HOME", "/home/me", 1);
  CHECK(example::cubin_folder() == "/named");
  unsetenv("GEMM_CUBIN_CACHE");
  CHECK(example::cubin_folder() == "/caches/gemm");
  setenv("XDG_CACHE_HOME", "relative", 1);  // which the specification has ignored
  CHECK(example::cubin_folder() == "/home/me/.cache/gemm");
  unsetenv("HOME");
  CHECK(example::cubin_folder().empty());
}
