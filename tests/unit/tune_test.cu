// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tuning: what is measured, what may win, what is kept of it, and that the caller's matrices stay out of it.

#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "../checker/broken.cuh"
#include "../policies/policies.hpp"
#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/tuning_folder.hpp"
#include "../support/unused_device.hpp"

namespace test {

/// Eligible for up to 8 rows.
struct for_few_rows : broken<defect::one_store> {
  static constexpr gemm::kernel_info info{.few = 8, .many = 128, .skinny_m = true};
};

}  // namespace test

namespace {

// example-begin
/// Has run() follow the plans of a file; measures a product that has none there, and adds the fastest plan. Without
/// Policies the candidates of run() are measured.
template <class... Policies, class A, class B, class C>
gemm::status tuned(A const& a, B const& b, C const& c, gemm::tune_options const& options) {
  gemm::status const loaded = gemm::load_tuning(options.cache);
  if (!loaded || gemm::chosen(a, b, c).source == gemm::choice_source::tuned) {
    return loaded;
  }
  return gemm::tune<Policies...>(a, b, c, options).status;
}
// example-end

using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;
using gemm::choice_source;
using gemm::col_major;
using gemm::row_major;

using small = gemm::pipelined_32x64x32;  // whose slices clusters add, or a second kernel
using plain = test::broken<test::defect::none>;
using broken = test::broken<test::defect::one_store>;

constexpr std::int64_t m = 24, n = 68, k = 200;

/// Matrices of NaN, which nobody is to read or to overwrite.
struct memory {
  test::device_array<float> a{std::vector<float>(m * k, poison)}, b{std::vector<float>(k * n, poison)},
      c{std::vector<float>(m * n, poison)};

  static constexpr float poison = std::numeric_limits<float>::quiet_NaN();

  template <class... Policies>
  gemm::tune_result tune(gemm::tune_options opts) const {
    opts.rotate = false;  // a hundred megabytes take long to fill on the CPU device
    return gemm::tune<Policies...>(row_major(a.data(), m, k), row_major(b.data(), k, n), row_major(c.data(), m, n),
                                   opts);
  }

  gemm::choice chosen() const {
    return gemm::chosen(row_major(a.data(), m, k), row_major(b.data(), k, n), row_major(c.data(), m, n));
  }

  bool untouched() const {
    for (test::device_array<float> const* const x : {&a, &b, &c}) {
      for (float const value : x->download()) {
        if (value == value) {
          return false;
        }
      }
    }
    return true;
  }
};

}  // namespace

TEST_CASE("the fastest candidate that is right wins, is followed and kept", "[tune][sanitizer]") {
  test::tuning_folder const folder;
  memory const x;
  test::stream const stream;
  int steps = 0, last = 0;
  bool in_order = true;
  // The wrong one at last, when what it leaves out may still be there from those before.
  gemm::tune_result const found = x.tune<small, broken>({.stream = stream.get(),
                                                         .cache = folder.path(),
                                                         .within = 100,
                                                         .repetitions = 2,
                                                         .progress = [&](int step, int total) {
                                                           in_order = in_order && step == ++last;
                                                           steps = total;
                                                         }});
  INFO(found.status.message());
  REQUIRE(found);
  REQUIRE(found.measured.size() >= 4);  // in one piece, in 2, 4 and 7 slices
  CHECK(last == steps);
  CHECK(in_order);

  for (std::size_t i = 0; i + 1 < found.measured.size(); ++i) {
    gemm::measurement const& row = found.measured[i];
    CHECK(row.outcome);
    CHECK(row.policy == "pipelined_32x64x32");
    CHECK(row.automatic);
    CHECK(row.seconds > 0);
    CHECK(row.predicted > 0);
    CHECK((i == 0 || row.seconds >= found.measured[i - 1].seconds));
    for (std::size_t j = 0; j < i; ++j) {
      gemm::measurement const& other = found.measured[j];
      CHECK((row.slices != other.slices || row.in_cluster != other.in_cluster || row.tail != other.tail));
    }
  }
  gemm::measurement const& wrong = found.measured.back();
  CHECK(wrong.outcome.code() == gemm::status_code::wrong_result);
  CHECK_THAT(wrong.outcome.message(),
             StartsWith("test::broken<") &&
                 Catch::Matchers::EndsWith(", 1 slices: 1 of 1632 elements are not those of the reference"));
  CHECK(!wrong.automatic);
  CHECK(wrong.seconds == 0);

  CHECK(found.followed == 0);
  CHECK(x.chosen().policy == found.measured[0].policy);
  CHECK(x.chosen().slices == found.measured[0].slices);
  CHECK(x.chosen().source == choice_source::tuned);
  CHECK(x.untouched());

  CHECK(found.cache == folder.path());
  gemm::forget_tuning();
  CHECK(x.chosen().source == choice_source::model);
  REQUIRE(gemm::load_tuning(folder.path()));
  CHECK(x.chosen().slices == found.measured[0].slices);
  CHECK(x.chosen().source == choice_source::tuned);
}

TEST_CASE("split terms are measured with all of their passes, and not followed", "[tune]") {
  test::need_sm90a();
  memory const x;
  gemm::tune_result const found =
      x.tune<gemm::with_fallback<test::fp16x3_64x64x64_3>, small>({.cache = {}, .within = 1000, .repetitions = 1});
  INFO(found.status.message());
  REQUIRE(found);
  auto const at = std::find_if(found.measured.begin(), found.measured.end(), [](gemm::measurement const& m) {
    return m.policy.find("fp16x3_64x64x64_3") != std::string::npos;
  });
  REQUIRE(at != found.measured.end());
  INFO(at->outcome.message());
  CHECK(at->outcome);
  CHECK(at->seconds > 0);
  CHECK(at->predicted > 0);
  CHECK(!at->automatic);
  CHECK(found.followed >= 0);
  CHECK(x.chosen().policy.find("fp16x3") == std::string::npos);
  CHECK(x.untouched());
}

TEST_CASE("a plan for the last tiles alone is followed and kept as one", "[tune][choice]") {
  test::tuning_folder const folder;
  float* const any = reinterpret_cast<float*>(256);  // nothing runs
  auto const x = row_major(any, 4096, 4096), y = row_major(any + 64, 4096, 4096);
  gemm::choice const wanted = gemm::chosen(x, x, y);
  REQUIRE(wanted.tail == gemm::detail::current_code().tma);
  gemm::tune_result found;
  found.measured.push_back({.policy = std::string(wanted.policy),
                            .slices = wanted.slices,
                            .in_cluster = wanted.in_cluster,
                            .tail = wanted.tail,
                            .seconds = 1e-3});
  gemm::detail::adopt(gemm::detail::problem_of(x, x, y, 1.0F, 0.0F, gemm::identity{}), folder.path(), found);
  REQUIRE(found);
  for (bool const loaded : {false, true}) {
    gemm::choice const followed = gemm::chosen(x, x, y);
    CHECK(followed.source == choice_source::tuned);
    CHECK(followed.policy == wanted.policy);
    CHECK(followed.slices == wanted.slices);
    CHECK(followed.tail == wanted.tail);
    if (!loaded) {
      gemm::forget_tuning();
      REQUIRE(gemm::load_tuning(folder.path()));
    }
  }
}

TEST_CASE("where nothing is right nothing is followed or kept", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  gemm::tune_result const found = x.tune<broken>({.cache = folder.path(), .repetitions = 1});
  CHECK(found.status.code() == gemm::status_code::wrong_result);
  CHECK(found.measured.size() == 1);
  CHECK(found.followed == -1);
  CHECK(found.cache.empty());
  CHECK(folder.read().empty());
  CHECK(x.chosen().source == choice_source::model);
}

TEST_CASE("a cache that cannot keep what was measured is a failure", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  gemm::tune_result const found = x.tune<plain>({.cache = folder.path(), .repetitions = 1});
  CHECK(found.status.code() == gemm::status_code::invalid_argument);
  CHECK(std::string(found.status.message()) ==
        "the tuning cache " + folder.path() + " keeps no plan: run() can choose none of the policies measured");
  REQUIRE(found.measured.size() == 1);
  CHECK(found.measured[0].outcome);
  CHECK(found.followed == -1);
  CHECK(found.cache.empty());
  CHECK(folder.read().empty());
  CHECK(x.chosen().source == choice_source::model);
}

TEST_CASE("a cache that cannot be written is found out before anything is measured", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  std::string const other = folder.write("something else\n"), folder_itself = folder.path("");
  REQUIRE(symlink("loop", folder.path("loop").c_str()) == 0);
  for (std::string const& path : {other, folder_itself, folder.path("no/folder"), folder.path("loop")}) {
    bool measured = false;
    gemm::tune_result const found =
        x.tune<small>({.cache = path, .within = 1, .repetitions = 1, .progress = [&](int, int) { measured = true; }});
    CHECK(found.status.code() == gemm::status_code::file_failure);
    CHECK(found.measured.empty());
    CHECK_FALSE(measured);
    CHECK(found.followed == -1);
    CHECK(found.cache.empty());
    CHECK(x.chosen().source == choice_source::model);
  }
  CHECK(folder.read() == "something else\n");
}

TEST_CASE("an empty file becomes the cache", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  std::string const path = folder.write("");
  gemm::tune_options opts{.cache = path, .within = 1, .repetitions = 1, .rotate = false};
  for (int const measures : {1, 0}) {
    int steps = 0;
    opts.progress = [&](int, int) { ++steps; };
    REQUIRE(tuned<small>(row_major(x.a.data(), m, k), row_major(x.b.data(), k, n), row_major(x.c.data(), m, n), opts));
    CHECK((steps > 0) == (measures > 0));
    CHECK(x.chosen().source == choice_source::tuned);
    gemm::forget_tuning();
  }
}

TEST_CASE("where a cache fails at last, what was measured is followed all the same", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  gemm::tune_result const found =
      x.tune<small>({.cache = folder.path(), .within = 1, .repetitions = 1, .progress = [&](int, int) {
                       folder.write("something else\n");
                     }});
  CHECK(found.status.code() == gemm::status_code::file_failure);
  CHECK(found.followed == 0);
  CHECK(found.cache.empty());
  CHECK(folder.read() == "something else\n");
  CHECK(x.chosen().source == choice_source::tuned);
}

TEST_CASE("candidates keep to the workspace", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  test::device_array<float> const space(2 * m * n);
  gemm::tune_result const found = x.tune<small>(
      {.workspace = {.data = space.data(), .bytes = space.size() * sizeof(float)}, .within = 100, .repetitions = 1});
  REQUIRE(found);
  bool in_two = false;
  for (gemm::measurement const& row : found.measured) {
    CHECK((row.in_cluster || row.slices <= 2));  // a cluster needs no workspace
    in_two = in_two || (!row.in_cluster && row.slices == 2);
  }
  CHECK(in_two);
}

TEST_CASE("padding, misalignment, batches and orders are tuned as they are", "[tune][sanitizer]") {
  test::tuning_folder const folder;
  // So that there are a few sets of operands to rotate.
  test::cpu_options const small_cache([](auto& options) { options.device.l2_cache_bytes = 40000; });
  auto const any = [](int offset) { return reinterpret_cast<float*>(std::uintptr_t{256} + 4 * offset); };
  auto const a = gemm::batched(row_major(any(1), 5, 7, 9), 3, 50), b = row_major(any(2), 7, 20, 23);
  auto const c = gemm::batched(col_major(any(3), 5, 20, 6), 3, -130);
  gemm::tune_result const found = gemm::tune<plain>(a, b, c, {.repetitions = 1, .rotate = GENERATE(true, false)});
  INFO(found.status.message());
  REQUIRE(found);
  REQUIRE(found.measured.size() == 1);
  CHECK(found.measured[0].outcome);
  CHECK(found.followed == -1);  // run() does not choose from such policies
  CHECK(found.cache.empty());
}

TEST_CASE("memory to tune in is aligned as the caller's is, and reaches as far to either side", "[tune]") {
  gemm::detail::memory_span const up(5, 20, 23, 3, 130), down(5, 20, 23, 3, -130);
  CHECK(up.count == 4 * 23 + 20 + 2 * 130);
  CHECK(up.first == 0);
  CHECK(down.count == up.count);
  CHECK(down.first == 2 * 130);
  gemm::detail::copies<float> const two(reinterpret_cast<float*>(std::uintptr_t{768 + 4}), down, 2);
  auto* const begin = reinterpret_cast<std::byte*>(std::uintptr_t{4096});
  auto const offset = [&](int copy) {
    return reinterpret_cast<std::uintptr_t>(two.pointer(begin, copy) - down.first) - 4096;
  };
  CHECK(offset(0) == 4);
  CHECK(offset(1) % 256 == 4);
  CHECK(offset(1) >= offset(0) + static_cast<std::size_t>(down.count) * sizeof(float));
  CHECK(two.all >= offset(1) + static_cast<std::size_t>(down.count) * sizeof(float));
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("tuning needs no memory pool, and without one follows no plan that needs a workspace", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  cpu_device::scoped_options with;
  with->device.number = test::unused_device();
  with->device.pools = cpu_device::memory_pools::missing;
  gemm::tune_result const found = x.tune<small>({.cache = folder.path(), .within = 100, .repetitions = 1});
  INFO(found.status.message());
  REQUIRE(found);
  for (gemm::measurement const& row : found.measured) {
    CHECK(row.outcome);
    CHECK((row.slices == 1 || row.in_cluster));
  }
}
#endif

TEST_CASE("all of the fastest plan is kept", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  auto const p = gemm::detail::problem_of(row_major(x.a.data(), m, k), row_major(x.b.data(), k, n),
                                          row_major(x.c.data(), m, n), 1.0F, 0.0F, gemm::identity{});
  bool const tail = GENERATE(false, true);
  gemm::tune_result result;
  result.measured = {{.policy = "others", .automatic = false, .seconds = 1e-6},
                     {.policy = "mine", .slices = 3, .in_cluster = !tail, .tail = tail, .seconds = 2e-6}};
  gemm::detail::adopt(p, folder.path(), result);
  REQUIRE(result);
  CHECK(result.followed == 1);
  gemm::detail::tuned_plan const want{
      .policy = "mine", .slices = 3, .in_cluster = !tail, .tail = tail, .nanoseconds = 2000};
  gemm::detail::tuned_plan const* const got =
      gemm::detail::tuned_plans.find(0, static_cast<int>(gemm::detail::code_of_device()), gemm::detail::key_of(p));
  REQUIRE(got != nullptr);
  CHECK((*got == want));
  char const* const fields =
      tail ? " slices=3 in_cluster=0 tail=1 nanoseconds=2000\n" : " slices=3 in_cluster=1 tail=0 nanoseconds=2000\n";
  CHECK_THAT(folder.read(), Catch::Matchers::ContainsSubstring(fields));
}

TEST_CASE("what cannot be tuned is refused before anything runs", "[tune]") {
  test::tuning_folder const folder;
  memory const x;
  auto const refused = [&](gemm::tune_options const& opts) {
    gemm::tune_result const found = x.tune<small>(opts);
    CHECK(found.status.code() == gemm::status_code::invalid_argument);
    CHECK(found.measured.empty());
    return std::string(found.status.message());
  };
  CHECK_THAT(refused({.repetitions = 0}), Equals("repetitions is 0, needs at least 1"));
  CHECK_THAT(refused({.within = 0.5}), Equals("within is 0.5, needs at least 1"));
  CHECK_THAT(refused({.within = std::numeric_limits<double>::quiet_NaN()}), Equals("within is nan, needs at least 1"));
  CHECK_THAT(refused({.workspace = {.bytes = 16}}), Equals("the workspace is null, but has 16 bytes"));

  test::stream const stream;
  test::require_success(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "capture");
  CHECK_THAT(refused({.stream = stream.get()}),
             Equals("the stream is being captured, needs to be one that runs what is enqueued"));
  cudaGraph_t graph = nullptr;
  test::require_success(cudaStreamEndCapture(stream.get(), &graph), "capture");
  test::require_success(cudaGraphDestroy(graph), "capture");

  auto const shape = [&](std::int64_t rows, std::int64_t depth) {
    return std::string(gemm::tune<small>(row_major(x.a.data(), rows, depth), row_major(x.b.data(), depth, n),
                                         row_major(x.c.data(), rows, n))
                           .status.message());
  };
  CHECK(shape(0, k) == "the product is 0 x 68 x 200, a batch of 1, needs sizes of 1 or more to be tuned");
  CHECK(shape(m, 0) == "the product is 24 x 68 x 0, a batch of 1, needs sizes of 1 or more to be tuned");
  CHECK(shape(-1, 4) == "A is -1 x 4, needs sizes of 0 or more");
  CHECK_THAT(gemm::tune<test::for_few_rows>(row_major(x.a.data(), m, k), row_major(x.b.data(), k, n),
                                            row_major(x.c.data(), m, n))
                 .status.message(),
             Equals("no policy of the list is eligible for the problem"));
}
