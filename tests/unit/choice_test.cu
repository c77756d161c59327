// SPDX-License-Identifier: BSL-1.0
//! @file
//! The library's own choice: sensible, visible, and what run() then does. And the policies' names.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/tier.hpp"
#include "../support/tuning_folder.hpp"
#include "../support/types.hpp"
#include "../support/unused_device.hpp"

namespace {

using gemm::batched;
using gemm::row_major;

/// What is chosen for a product of this size, without the memory for it.
template <class T = float>
gemm::choice choice_for(std::int64_t m, std::int64_t n, std::int64_t k) {
  T *const any = reinterpret_cast<T*>(256), *const result = reinterpret_cast<T*>(512);
  return gemm::chosen(row_major(any, m, k), row_major(any, k, n), row_major(result, m, n));
}

/// The names of the policies that run() chooses from, with and without `repacked`.
template <class Problem, class... Policies, gemm::detail::splits... Splits>
std::vector<std::string> names_in(gemm::detail::candidate_list<gemm::detail::candidate<Policies, Splits>...>) {
  std::vector<std::string> names;
  for (gemm::detail::compiled_kernel const& kernel : {gemm::detail::compiled_kernel_of<Policies, Problem>...}) {
    names.insert(names.end(), {std::string(kernel.name), std::string(kernel.direct_name)});
  }
  return names;
}

struct sizes {
  std::int64_t m = 1, n = 1, k = 1, batch = 1;
};

/// A line for a problem on the current device, with a policy and slices that may mean nothing, and now and then another
/// value that is wrong.
std::string any_line(gemm::detail::tuned_problem const& key, std::vector<std::string> const& policies,
                     gemm::random_numbers& random) {
  using texts = std::vector<std::string>;
  static texts const slices = {"1", "2", "2", "3",  "3",     "4",     "4",          "5",
                               "8", "9", "0", "-1", "65535", "65536", "2147483647", "-2147483648"},
                     types = {"float", "tf32", "double", "half", "bfloat16", "int8", "int32", "nn"},
                     storages = {"nt", "tn", "tt", "float"}, flags = {"0", "0", "1"}, no_flags = {"2", "-1", ""},
                     numbers = {"-1", "0", "1", "2147483648", "9223372036854775807", "9223372036854775808", "x"};
  std::string line;
  auto const one_of = [&](texts const& values) {
    return values[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(values.size()) - 1))];
  };
  auto const field = [&](char const* name, std::string const& right, texts const& others) {
    line.append(name).append("=").append(random.integer(0, 29) > 0 ? right : one_of(others)).append(" ");
  };
  gemm::detail::tuning_record const device = test::record_of(1, 1, 1, "");
  field("gpu", device.gpu, {"another"});
  field("multiprocessors", std::to_string(device.multiprocessors), numbers);
  field("in", std::string(key.input), types);
  field("out", std::string(key.output), types);
  field("storage", std::string(key.storage), storages);
  field("aligned", key.aligned ? "1" : "0", no_flags);
  field("m", std::to_string(key.m), numbers);
  field("n", std::to_string(key.n), numbers);
  field("k", std::to_string(key.k), numbers);
  field("batch", std::to_string(key.batch), numbers);
  field("policy", one_of(policies), {""});
  field("slices", one_of(slices), numbers);
  field("in_cluster", one_of(flags), no_flags);
  field("tail", one_of(flags), no_flags);
  field("nanoseconds", "5000", numbers);
  return line;
}

}  // namespace

TEST_CASE("policies print themselves", "[names]") {
  CHECK(gemm::name<gemm::pipelined_128x128x16>() == "pipelined_128x128x16");
  CHECK(gemm::name<gemm::warp_tile<gemm::block<128, 128, 16>, gemm::warp<64, 32>, gemm::thread<4, 4>>>() ==
        "warp_tile<block<128,128,16>,warp<64,32>,thread<4,4>>");
  CHECK(gemm::name<gemm::automatic>() == "automatic");
}

TEST_CASE("the choice fits the product's shape and the device", "[choice]") {
  auto const is = [](gemm::choice const& c, std::string_view family) {
    return c.policy.starts_with(family) || c.policy.starts_with("repacked<" + std::string(family));
  };
  CHECK(is(choice_for(1, 4096, 4096), "skinny_1x"));
  CHECK(is(choice_for(1, 50257, 768), "skinny_1x"));
  CHECK(is(choice_for(100000, 1, 128), "skinny_128x1x"));
  CHECK(is(choice_for<double>(4096, 4096, 4096), "sm80_mma_f64"));
  auto const expect = [&](bool specialized) {
    for (std::int64_t const size : {1024, 4095, 4096, 8192}) {
      CHECK(is(choice_for(size, size, size), specialized ? "sm90_simt_tma" : "pipelined"));
    }
    CHECK(is(choice_for(65536, 64, 64), "persistent") == specialized);
    CHECK(is(choice_for(4096, 16, 4096), "sm90_simt_tma_128x16") == specialized);
    for (std::int64_t const k : {1, 8, 16}) {  // as long as storing C takes longest
      for (gemm::choice const& c : {choice_for(3000, 3000, k), choice_for(1001, 10001, k)}) {
        CHECK(c.slices == 1);
      }
    }
    CHECK_FALSE(is(choice_for(2501, 2501, 17), "outer_product"));
    for (std::int64_t const few : {2, 5, 8}) {
      CHECK(is(choice_for(few, 100003, 100), "skinny_4x"));
    }
    CHECK(choice_for(5, 5001, 5001).slices > 1);
    CHECK_FALSE(is(choice_for(9, 100003, 100), "skinny"));
    // Misaligned rows are packed only where there are many columns for each.
    CHECK_FALSE(choice_for(16383, 127, 4097).packs_a);
    CHECK(choice_for(2047, 2047, 2047).packs_a == specialized);
    // A and B are the caller's, whatever the order of C.
    float* const any = reinterpret_cast<float*>(256);
    auto const even = gemm::col_major(any, 2048, 2048), odd = gemm::col_major(any, 2048, 2048, 2049),
               result = gemm::col_major(any + 64, 2048, 2048);
    gemm::choice const of_a = gemm::chosen(odd, even, result), of_b = gemm::chosen(even, odd, result);
    CHECK((of_a.packs_a && !of_a.packs_b) == specialized);
    CHECK((of_b.packs_b && !of_b.packs_a) == specialized);
    // Where there is code for sm_90a, what is aligned has better candidates than this one, whose kernel for it is left
    // out there.
    auto const aligned = row_major(reinterpret_cast<float*>(256), 64, 64);
    auto p = gemm::detail::problem_of(aligned, aligned, aligned, 1.0F, 0.0F, gemm::identity{});
    auto const& tall = gemm::detail::compiled_kernel_of<gemm::pipelined_128x64x16, decltype(p)>;
    CHECK(gemm::detail::reads_wide(tall, p) != specialized);
    CHECK(gemm::detail::eligible(tall, p, {}) != specialized);
    CHECK(gemm::detail::reads_wide(gemm::detail::compiled_kernel_of<gemm::pipelined_48x128x16, decltype(p)>, p));
  };
  expect(gemm::detail::current_code().tma);
  if constexpr (test::on_cpu_device) {
    test::cpu_options const older([](auto& options) { options.device.compute_capability_major = 8; });
    expect(false);
  }
}

TEST_CASE("a choice does not depend on the calls before it", "[choice]") {
  auto const of_result = []<class T>(T*, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t ldc, int shift) {
    T *const any = reinterpret_cast<T*>(256), *const result = reinterpret_cast<T*>(512);
    return gemm::chosen(row_major(any, m, k), gemm::col_major(any, k, n), row_major(result + shift, m, n, ldc));
  };
  // Blocks that stay, and TMA, store no rows that begin anywhere.
  auto const check = [&]<class T>(T* type, std::int64_t m, std::int64_t n, std::int64_t k) {
    for (auto const& [ldc, shift] : {std::pair<std::int64_t, int>{n + 1, 0}, {n, 1}}) {
      CAPTURE(m, n, k, ldc, shift);
      gemm::choice const odd = of_result(type, m, n, k, ldc, shift), even = of_result(type, m, n, k, n, 0),
                         odd_again = of_result(type, m, n, k, ldc, shift);
      CHECK((odd.seconds > even.seconds) == gemm::detail::current_code().tma);
      CHECK(odd_again.policy == odd.policy);
      CHECK(odd_again.seconds == odd.seconds);
    }
  };
  check(static_cast<__nv_bfloat16*>(nullptr), 300, 76096, 128);
  check(static_cast<__nv_bfloat16*>(nullptr), 2048, 4096, 1024);
}

TEST_CASE("small products of a large batch get a warp each", "[choice]") {
  auto const choice_of_batch = [](std::int64_t size, std::int64_t count) {
    float* const any = reinterpret_cast<float*>(256);
    auto const view = [&](float* data) { return gemm::batched(row_major(data, size, size), count, size * size); };
    return gemm::chosen(view(any), view(any), view(any + 64)).policy;
  };
  CHECK(choice_of_batch(16, 10000) == "small_16x16x16");
  CHECK(choice_of_batch(7, 100000) == "small_16x16x16");
  CHECK(choice_of_batch(32, 10000) == "small_32x32x32");
  CHECK(choice_of_batch(33, 10000) != "small_32x32x32");
  CHECK(choice_of_batch(16, 1) != "small_16x16x16");
  CHECK(choice_of_batch(128, 1000) != "small_32x32x32");
  if (gemm::detail::current_code().tma) {  // operands are brought while tiles are stored, over and over
    CHECK(choice_of_batch(64, 10000).starts_with("persistent"));
    CHECK(choice_of_batch(100, 3000).starts_with("persistent"));
  }
}

TEST_CASE("blocks that are all there at a time are spread evenly", "[launch]") {
  using gemm::detail::blocks_each;
  using gemm::detail::spread_bytes;
  CHECK(blocks_each(132, 1, 2, 132) == 1);
  CHECK(blocks_each(133, 1, 2, 132) == 2);
  CHECK(blocks_each(264, 1, 2, 132) == 2);
  CHECK(blocks_each(265, 1, 2, 132) == 0);  // more than there is room for
  CHECK(blocks_each(240, 3, 5, 132) == 2);
  CHECK(blocks_each(264, 3, 5, 132) == 3);  // clusters of three leave gaps
  CHECK(blocks_each(264, 4, 2, 132) == 2);  // and of four none,
  CHECK(blocks_each(392, 4, 5, 132) == 4);  // but with three on a multiprocessor
  CHECK(blocks_each(1, 1, 2, 0) == 0);      // an unknown device
  CHECK(spread_bytes(0) == 0);
  for (int each = 1; each <= 14; ++each) {  // so many have room, and no more
    std::size_t const of_block = spread_bytes(each) + 1024;
    CHECK(of_block * static_cast<std::size_t>(each) <= 228 * 1024);
    CHECK(of_block * static_cast<std::size_t>(each + 1) > 228 * 1024);
  }
}

TEST_CASE("k is split where C is small, in clusters where there are clusters", "[choice]") {
  auto const expect = [](bool clusters) {
    gemm::choice const small = choice_for(512, 512, 4096), last = choice_for(8192, 8192, 8192);
    CHECK(small.in_cluster == clusters);
    CHECK_FALSE(small.tail);
    CHECK((small.slices > 1 && small.slices <= 8) >= clusters);
    CHECK(last.tail == clusters);  // 15.5 waves
    CHECK((last.slices > 1) == clusters);
    CHECK(choice_for(4096, 4096, 4096).tail == clusters);  // 3.9 waves
    CHECK(choice_for(2048, 2048, 2048).slices == 1);       // 0.97, and k too short to make up for the rest
    CHECK(choice_for(128, 128, 65536).slices > 16);        // more than a cluster has blocks
    CHECK_FALSE(choice_for(128, 128, 65536).in_cluster);
    CHECK(choice_for<double>(256, 256, 256).in_cluster == clusters);
    gemm::choice const wide = choice_for(127, 4399, 7483);  // misaligned rows, which are not packed, and few tiles
    CHECK(wide.slices > 1);
    CHECK_FALSE(wide.in_cluster);
  };
  expect(gemm::detail::current_code().tma);
  if constexpr (test::on_cpu_device) {
    test::cpu_options const older([](auto& options) { options.device.compute_capability_major = 8; });
    expect(false);
  }
}

TEST_CASE("predictions grow with the work and know the waves", "[choice]") {
  gemm::choice const one = choice_for(4096, 4096, 4096), twice = choice_for(4096, 4096, 8192);
  CHECK(one.seconds > 2e-3);  // 137 GFLOP at 66.9 TFLOP/s
  CHECK(one.seconds < 1e-2);
  CHECK(twice.seconds > 1.9 * one.seconds);
  CHECK(twice.waves == one.waves);
  // A product of one column moves more than it computes, at no more than the memory's 4.8 TB/s.
  CHECK(choice_for(1 << 20, 1, 64).seconds >= (1 << 20) * 64 * 4 / 4.8e12);
}

TEST_CASE("run without a policy follows a plan, slices included", "[choice][tune]") {
  test::tuning_folder const folder;
  gemm::detail::tuning_record record = test::record_of(20, 8, 256, "pipelined_32x64x32");
  record.plan.slices = 4;
  REQUIRE(gemm::load_tuning(folder.write(test::cache_of(record))));
  test::device_array<float> const a(std::vector<float>(20 * 256, 1)), b(std::vector<float>(256 * 8, 2)),
      c(std::vector<float>(20 * 8));
  auto const x = row_major(a.data(), 20, 256), y = row_major(b.data(), 256, 8), z = row_major(c.data(), 20, 8);
  gemm::choice const followed = gemm::chosen(x, y, z);
  CHECK(followed.policy == "pipelined_32x64x32");
  CHECK(followed.slices == 4);
  CHECK(followed.source == gemm::choice_source::tuned);
  CHECK(gemm::chosen(x, y, z, {.beta = 1}, gemm::relu{}).source == gemm::choice_source::tuned);
  float* const little = c.data();
  gemm::choice const kept_within = gemm::chosen(x, y, z, {.workspace = {.data = little, .bytes = 16}});
  CHECK(kept_within.source == gemm::choice_source::model);
  CHECK(kept_within.policy != "");
  // The slices' sums are in the workspace afterwards, a quarter of the product each.
  test::device_array<float> const space(gemm::workspace_size(x, y, z) / sizeof(float));
  REQUIRE(space.size() == 4 * 20 * 8);
  CHECK(gemm::workspace_size(x, y, z, {.beta = 1, .workspace = {.data = little, .bytes = 16}}, gemm::relu{}) ==
        space.size() * sizeof(float));
  REQUIRE(gemm::run(x, y, z, {.workspace = {.data = space.data(), .bytes = space.size() * sizeof(float)}}));
  CHECK(c.download() == std::vector<float>(20 * 8, 512));
  CHECK(space.download() == std::vector<float>(4 * 20 * 8, 128));
}

TEST_CASE("nothing is chosen where there is nothing to compute or run refuses", "[choice]") {
  CHECK(choice_for(0, 4, 4).policy.empty());
  CHECK(choice_for(-1, 4, 4).policy.empty());
  float* const any = reinterpret_cast<float*>(256);
  auto const square = row_major(any, 4, 4), own = row_major(any + 64, 4, 4);
  CHECK_FALSE(gemm::chosen(square, square, own).policy.empty());
  CHECK(gemm::chosen(square, square, square).policy.empty());
  CHECK(gemm::chosen(row_major(any, 4, 4, 3), square, own).policy.empty());
  auto const many = gemm::batched(own, std::int64_t{1} << 40, 16);
  CHECK_FALSE(gemm::can_run(square, square, many));
  CHECK(gemm::chosen(square, square, many).policy.empty());
  using split = gemm::split_k<gemm::pipelined_64x64x16, 4>;
  auto const tall = row_major(any, std::int64_t{1} << 40, 64), one = row_major(any, 64, 1),
             result = row_major(any + 64, std::int64_t{1} << 40, 1);
  CHECK_FALSE(gemm::can_run<split>(tall, one, result));
  CHECK(gemm::workspace_size<split>(tall, one, result) == 0);
  if constexpr (test::on_cpu_device) {
    test::cpu_options const old([](auto& options) { options.device.compute_capability_major = 7; });
    CHECK_FALSE(gemm::can_run(square, square, own));
    CHECK(gemm::chosen(square, square, own).policy.empty());
    CHECK(gemm::workspace_size(row_major(any, 2, 20000), row_major(any, 20000, 3), row_major(any + 64, 2, 3)) == 0);
  }
}

TEMPLATE_TEST_CASE("run without a policy computes what the chosen policy does", "[choice][sanitizer]", test::f32,
                   test::f64, test::f16, test::s8) {
  using input = typename TestType::input;
  using output = typename TestType::output;
  // The last of floats by clusters, that of specialised warps only where it may be repacked.
  std::int64_t const sizes[][3] = {{1, 1, 1}, {5, 300, 40}, {200, 130, 33}, {129, 65, 500}};
  for (auto const& [m, n, k] : sizes) {
    std::vector<input> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
    std::vector<output> c(static_cast<std::size_t>(m * n));
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<input>(static_cast<float>(i * 7 % 17) - 8);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      b[i] = static_cast<input>(static_cast<float>(i * 5 % 13) - 6);
    }
    test::device_array<input> const da(a), db(b);
    test::device_array<output> const dc(c);
    REQUIRE(gemm::can_run(row_major(da.data(), m, k), row_major(db.data(), k, n), row_major(dc.data(), m, n)));
    REQUIRE(gemm::run(row_major(da.data(), m, k), row_major(db.data(), k, n), row_major(dc.data(), m, n)));
    auto const want =
        gemm::reference(row_major(a.data(), m, k), row_major(b.data(), k, n), row_major(c.data(), m, n), 1, 0);
    auto const got = dc.download();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      wrong += !(test::number(got[i]) == test::number(test::rounded<output>(want[i].value)));
    }
    CHECK(wrong == 0);
  }
}

TEMPLATE_TEST_CASE("whatever lines a cache has, run without a policy succeeds and is right", "[choice][tune]",
                   test::f32, test::f64, test::f16, test::s8) {
  using input = typename TestType::input;
  using output = typename TestType::output;
  constexpr std::int64_t widest = 70, deepest = 600, most = 3;
  constexpr std::uint64_t seed = 20240613;
  CAPTURE(seed);
  // So that small products have last tiles.
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 2; });
  test::tuning_folder const folder;
  gemm::random_numbers random(seed);
  std::vector<input> a(widest * deepest * most), b(widest * deepest * most);
  std::vector<output> c(widest * widest * most, output(3));
  for (std::vector<input>* const values : {&a, &b}) {
    for (input& value : *values) {
      value = static_cast<input>(static_cast<float>(random.integer(-8, 8)));
    }
  }
  test::device_array<input> const da(a), db(b);
  test::device_array<output> dc(c.size());
  auto const with_views = [](input const* a, input const* b, output* c, sizes const& of, auto action) {
    return action(batched(row_major(a, of.m, of.k), of.batch), batched(row_major(b, of.k, of.n), of.batch),
                  batched(row_major(c, of.m, of.n), of.batch));
  };
  auto const to_problem = [](auto const& x, auto const& y, auto const& z) {
    using scalar = gemm::detail::accumulator<input>;
    return gemm::detail::problem_of(x, y, z, scalar(1), scalar(0), gemm::identity{});
  };
  using problem = decltype(with_views(nullptr, nullptr, nullptr, {}, to_problem));
  std::vector<std::string> policies = names_in<problem>(gemm::detail::candidates<gemm::automatic, problem>{});
  policies.insert(policies.end(), {"naive_32x4", "split_k<pipelined_32x64x32,4>", "none", "="});

  std::string cache = test::cache_of();
  std::vector<sizes> all;
  for (int i = 0; i < 300; ++i) {
    sizes const of{.m = random.integer(1, i % 4 == 0 ? 8 : widest),
                   .n = random.integer(1, i % 4 == 1 ? 8 : widest),
                   .k = i % 5 == 0 ? random.integer(1, deepest) : 16 * random.integer(1, deepest / 16),
                   .batch = i % 3 == 0 ? random.integer(2, most) : 1};
    all.push_back(of);
    auto const key = gemm::detail::key_of(with_views(da.data(), db.data(), dc.data(), of, to_problem));
    for (std::int64_t lines = random.integer(1, 2); lines > 0; --lines) {
      cache += any_line(key, policies, random) + "\n";
    }
  }
  REQUIRE(gemm::load_tuning(folder.write(cache)));
  int followed = 0;
  for (sizes const& of : all) {
    CAPTURE(of.m, of.n, of.k, of.batch);
    dc.upload(c);
    gemm::status const status =
        with_views(da.data(), db.data(), dc.data(), of, [&](auto const& x, auto const& y, auto const& z) {
          followed += gemm::chosen(x, y, z).source == gemm::choice_source::tuned;
          return gemm::run(x, y, z);
        });
    INFO(status.message());
    REQUIRE(status);
    auto const want = with_views(a.data(), b.data(), c.data(), of, [](auto const& x, auto const& y, auto const& z) {
      return gemm::reference(x, y, z, 1, 0);
    });
    std::vector<output> const got = dc.download();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      wrong += !(test::number(got[i]) == test::number(test::rounded<output>(want[i].value)));
    }
    REQUIRE(wrong == 0);
  }
  CHECK(followed > 0);  // or nothing is tried
}

TEST_CASE("a plan with more slices than a grid holds gives way to the model", "[choice][tune]") {
  constexpr std::int64_t m = 2, n = 3, k = 65536 * 16;
  test::tuning_folder const folder;
  gemm::detail::tuning_record record = test::record_of(m, n, k, "pipelined_48x128x16");
  record.problem.aligned = false;
  record.plan.slices = 65536;
  REQUIRE(gemm::load_tuning(folder.write(test::cache_of(record))));
  test::device_array<float> const a(std::vector<float>(m * k, 1)), b(std::vector<float>(n * k, 1)), c(m * n);
  auto const x = row_major(a.data(), m, k), y = row_major(b.data(), k, n), z = row_major(c.data(), m, n);
  CHECK(gemm::chosen(x, y, z).source == gemm::choice_source::model);
  gemm::status const status = gemm::run(x, y, z);
  INFO(status.message());
  REQUIRE(status);
  CHECK(c.download() == std::vector<float>(m * n, k));
  record.plan.slices = 65535;
  record.problem.k = 65535 * 16;
  gemm::detail::add_plan(0, gemm::detail::plan_table::any_code, record.problem, record.plan);
  CHECK(choice_for(m, n, 65535 * 16).slices == 65535);
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("run without a policy does without a workspace where there is no memory for one", "[choice]") {
  constexpr std::int64_t k = 70000;
  auto const needs_workspace = [](gemm::choice const& c) { return c.slices > 1 && !c.in_cluster; };
  REQUIRE(needs_workspace(choice_for(2, 3, k)));
  test::device_array<float> const a(std::vector<float>(2 * k, 1)), b(std::vector<float>(3 * k, 1)), space(4096);
  test::device_array<float> c(6);
  auto const x = row_major(a.data(), 2, k), y = row_major(b.data(), k, 3), z = row_major(c.data(), 2, 3);
  gemm::options<float> const with_space{.workspace = {.data = space.data(), .bytes = 4096 * sizeof(float)}};
  using split = gemm::split_k<gemm::pipelined_16x64x32, 2>;
  std::vector<float> const right(6, k);
  auto const check_run = [&](auto const& call) {
    c.upload(std::vector<float>(6));
    REQUIRE(call());
    CHECK(c.download() == right);
    CHECK(cudaGetLastError() == cudaSuccess);
  };
  SECTION("because it is full") {
    {
      cpu_device::scoped_options with;
      with->device.global_memory = 0;
      CHECK(gemm::run<split>(x, y, z).cuda_error() == cudaErrorMemoryAllocation);
      REQUIRE(gemm::run(x, y, z));
    }
    CHECK(c.download() == right);
    CHECK(needs_workspace(gemm::chosen(x, y, z)));  // full at that time, maybe not the next
  }
  SECTION("because the device has no memory pools") {
    for (auto const pools : {cpu_device::memory_pools::missing, cpu_device::memory_pools::refused}) {
      cpu_device::scoped_options with;
      bool const says_so = pools == cpu_device::memory_pools::missing;
      with->device.number = test::unused_device();
      with->device.pools = pools;
      CHECK(needs_workspace(gemm::chosen(x, y, z)) != says_so);
      check_run([&] { return gemm::run(x, y, z); });
      with->device.pools = cpu_device::memory_pools::supported;  // not asked again
      CHECK_FALSE(needs_workspace(gemm::chosen(x, y, z)));
      check_run([&] { return gemm::run(x, y, z); });
      check_run([&] { return gemm::run<gemm::pipelined_16x64x32>(x, y, z); });

      std::size_t const needed = gemm::workspace_size<split>(x, y, z);
      CHECK(needed > 0);
      CHECK(gemm::workspace_size(x, y, z) > 0);  // what would be worth passing
      for (gemm::status const& refused : {gemm::can_run<split>(x, y, z), gemm::run<split>(x, y, z)}) {
        CHECK(refused.code() == gemm::status_code::invalid_argument);
        CHECK(std::string(refused.message()) == "the workspace is null, needs " + std::to_string(needed) +
                                                    " bytes: the device has no memory pool to take them from");
      }
      CHECK(needs_workspace(gemm::chosen(x, y, z, with_space)));
      check_run([&] { return gemm::run(x, y, z, with_space); });
      check_run([&] { return gemm::run<split>(x, y, z, with_space); });
    }
    CHECK(needs_workspace(gemm::chosen(x, y, z)));  // of device 0 this says nothing
  }
}
#endif
