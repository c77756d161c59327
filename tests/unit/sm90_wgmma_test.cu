// SPDX-License-Identifier: BSL-1.0
//! @file
//! The tensor cores' rung: what of it is not said of every policy.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::batched;
using gemm::col_major;
using gemm::row_major;

using policy = gemm::sm90_wgmma<gemm::block<64, 64, 64>, gemm::stages<3>>;
using in_turns = gemm::sm90_wgmma_ping_pong<gemm::block<64, 64, 64>, gemm::stages<3>>;
using deferring = gemm::sm90_wgmma<gemm::block<128, 144, 64>, gemm::stages<2>>;  // a tile's rows in three boxes
static_assert(deferring::info.overlapped_epilogue && !policy::info.overlapped_epilogue);

auto* const aligned = reinterpret_cast<__half*>(4096);
auto* const result = reinterpret_cast<__half*>(8192);  // of which C is, or it would be refused

/// Bytes of a copy: so many lines of so many elements.
constexpr std::size_t copy(std::size_t lines, std::size_t ld) { return (lines * ld * 2 + 127) / 128 * 128; }

/// So many, from -most to most again and again.
std::vector<__half> integers(std::int64_t count, std::int64_t most) {
  std::vector<__half> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(__half(static_cast<float>(i % (2 * most + 1) - most)));
  }
  return values;
}

}  // namespace

TEST_CASE("what TMA cannot load is copied as it is, k-major or mn-major", "[repack]") {
  test::need_sm90a();
  auto const c = row_major(result, 5, 8);
  auto const a = row_major(aligned, 5, 16), odd_a = row_major(aligned + 1, 5, 16);
  CHECK(gemm::workspace_size<policy>(a, row_major(aligned, 16, 8), c) == 0);
  CHECK(gemm::workspace_size<policy>(a, col_major(aligned, 16, 8), c) == 0);
  CHECK(gemm::workspace_size<policy>(odd_a, col_major(aligned, 16, 8), c) == copy(5, 16));
  CHECK(gemm::workspace_size<policy>(a, col_major(aligned, 16, 8, 20), c) == copy(8, 16));
  CHECK(gemm::workspace_size<policy>(a, row_major(aligned, 16, 8, 20), c) == copy(16, 8));
  CHECK(gemm::workspace_size<policy>(col_major(aligned, 5, 16), col_major(aligned + 4, 16, 8), c) ==
        copy(16, 8) + copy(8, 16));
}

TEST_CASE("of a tile that lies partly outside C no more is brought than some lines of zeros") {
  using rows =
      gemm::detail::swizzled_tile<__half, gemm::major::k, 128, 64>;  // in eights, by each block that has a part
  CHECK(rows::loaded_of<1>(72) == 72);
  CHECK(rows::loaded_of<1>(73) == 80);
  CHECK(rows::loaded_of<1>(127) == rows::most<1>);
  CHECK(rows::loaded_of<4>(72) == 24);
  CHECK(rows::loaded_of<4>(100) == rows::most<4>);
  using columns = gemm::detail::swizzled_tile<__half, gemm::major::mn, 240, 64>;  // in boxes of 64, for all blocks
  CHECK(columns::loaded_of<1>(1) == 64);
  CHECK(columns::loaded_of<2>(65) == 128);
  CHECK(columns::loaded_of<2>(239) == columns::most<2>);
}

TEMPLATE_TEST_CASE("a block takes tile after tile, in one product or in the next", "[sanitizer]", policy, in_turns) {
  test::need_sm90a();
  // So that few tiles are more than run at a time.
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 3; });
  constexpr std::int64_t count = test::on_cpu_device ? 3 : 60;
  constexpr std::int64_t m = 136, n = 72, k = 200;
  test::device_array<__half> const da(integers(count * m * k, 3)), db(integers(count * k * n, 2));
  test::device_array<float> const dc(static_cast<std::size_t>(count * m * n));
  REQUIRE(gemm::run<TestType>(batched(row_major(da.data(), m, k), count), batched(row_major(db.data(), k, n), count),
                              batched(row_major(dc.data(), m, n), count)));
  std::vector<float> const c = dc.download();

  int wrong = 0;
  for (std::int64_t batch = 0; batch < count; ++batch) {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        std::int64_t expected = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          expected += ((batch * m + i) * k + l) % 7 * (((batch * k + l) * n + j) % 5) -
                      2 * (((batch * m + i) * k + l) % 7) - 3 * (((batch * k + l) * n + j) % 5) + 6;
        }
        wrong += c[static_cast<std::size_t>((batch * m + i) * n + j)] != static_cast<float>(expected);
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a tile that waits in registers is stored while the next one is multiplied, however short k is",
          "[sanitizer]") {
  test::need_sm90a();
  // So that a block has several tiles.
  test::cpu_options const one([](auto& options) { options.device.multiprocessors = 1; });
  constexpr std::int64_t count = test::on_cpu_device ? 2 : 200;
  constexpr std::int64_t m = 72, n = 152, ld = 160;  // part of a tile at both ends
  auto const k = GENERATE(std::int64_t{0}, 40, 136);
  float const alpha = k == 40 ? 0.5F : 1.0F;
  test::device_array<__half> const da(integers(count * m * k, 3)), db(integers(count * k * n, 2));
  std::vector<__half> const old(static_cast<std::size_t>(count * m * ld), __half(7.0F));
  test::device_array<__half> const c(old), sliced(old), expected(old);
  auto const run = [&]<class Policy>(Policy, test::device_array<__half> const& to) {
    return gemm::run<Policy>(batched(row_major(da.data(), m, k), count), batched(row_major(db.data(), k, n), count),
                             batched(row_major(to.data(), m, n, ld), count), {.alpha = alpha});
  };
  REQUIRE(run(deferring{}, c));
  REQUIRE(run(gemm::split_k<deferring, 2>{}, sliced));  // slices are stored at once
  REQUIRE(run(gemm::coalesced_32x32{}, expected));
  std::vector<__half> const wanted = expected.download();
  for (test::device_array<__half> const* const result : {&c, &sliced}) {
    std::vector<__half> const got = result->download();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      wrong += __half_as_ushort(got[i]) != __half_as_ushort(wanted[i]);  // sums of integers are exact in any order
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("what a stride says that is never taken does not decide how some tiles are stored") {
  test::need_sm90a();
  test::cpu_options const one([](auto& options) { options.device.multiprocessors = 1; });
  // One matrix a batch stride from the next, and one row: TMA can store both whatever these are.
  auto const [m, ld, stride] = GENERATE(std::tuple<std::int64_t, std::int64_t, std::int64_t>{130, 152, 12},
                                        std::tuple<std::int64_t, std::int64_t, std::int64_t>{1, 609, 0});
  std::int64_t const n = m == 1 ? 608 : 152, k = 40;
  test::device_array<__half> const a(integers(m * k, 3)), b(integers(k * n, 2));
  std::vector<__half> const old(static_cast<std::size_t>(m * ld), __half(7.0F));
  test::device_array<__half> const c(old), expected(old);
  auto const run = [&, m = m, ld = ld, stride = stride]<class Policy>(Policy, test::device_array<__half> const& to) {
    return gemm::run<Policy>(row_major(a.data(), m, k), row_major(b.data(), k, n),
                             batched(row_major(to.data(), m, n, ld), 1, stride));
  };
  REQUIRE(run(deferring{}, c));
  REQUIRE(run(gemm::coalesced_32x32{}, expected));
  std::vector<__half> const got = c.download(), wanted = expected.download();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    wrong += __half_as_ushort(got[i]) != __half_as_ushort(wanted[i]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("an epilogue gets each element of a tile that lies in C, and of one that does not", "[epilogue][sanitizer]") {
  test::need_sm90a();
  using in_pieces = gemm::sm90_wgmma_ping_pong<gemm::block<128, 64, 64>, gemm::stages<2>>;
  constexpr std::int64_t n = 136, k = 64;
  auto const m =
      GENERATE(std::int64_t{208}, 203);  // of the last tile's pieces one is whole, of the other a box, or part of it
  std::vector<__half> a, b;
  for (std::int64_t i = 0; i < m * k; ++i) {
    a.push_back(__half(static_cast<float>(i % 7 - 3)));
  }
  for (std::int64_t i = 0; i < k * n; ++i) {
    b.push_back(__half(static_cast<float>(i % 5 - 2)));
  }
  std::vector<float> bias, rows;
  for (std::int64_t i = 0; i < m; ++i) {
    rows.push_back(static_cast<float>(1000 * i));
    bias.push_back(static_cast<float>(i * i));
  }
  test::device_array<__half> const da(a), db(b);
  std::vector<float> const old(static_cast<std::size_t>((m + 16) * n), -1);  // with rows that are not of C
  test::device_array<float> const dbias(bias), drows(rows), in_tiles(old), expected(old), second(old), other(old);
  auto const run = [&]<class Policy>(Policy, test::device_array<float> const& c, test::device_array<float> const& too) {
    return gemm::run<Policy>(
        row_major(da.data(), m, k), row_major(db.data(), k, n), row_major(c.data(), m, n), {},
        gemm::bias(dbias.data()) | gemm::row_bias(drows.data()) | gemm::store(row_major(too.data(), m, n)));
  };
  REQUIRE(run(in_pieces{}, in_tiles, second));
  REQUIRE(run(gemm::coalesced_32x32{}, expected, other));
  CHECK(second.download() == other.download());
  CHECK(in_tiles.download() == expected.download());  // sums of integers are exact in any order
}

TEST_CASE("nothing is stored between the rows of C", "[sanitizer]") {
  test::need_sm90a();
  constexpr std::int64_t m = 70, n = 77, k = 64, ld = 88;
  test::device_array<__half> const a(std::vector<__half>(m * k, __half(1.0F))),
      b(std::vector<__half>(k * n, __half(1.0F))), c(std::vector<__half>(m * ld, __half(7.0F)));
  REQUIRE(gemm::run<in_turns>(row_major(a.data(), m, k), row_major(b.data(), k, n), row_major(c.data(), m, n, ld)));
  std::vector<__half> const got = c.download();
  int wrong = 0;
  for (std::int64_t i = 0; i < m * ld; ++i) {
    wrong += static_cast<float>(got[static_cast<std::size_t>(i)]) != (i % ld < n ? static_cast<float>(k) : 7.0F);
  }
  CHECK(wrong == 0);
}

TEST_CASE("half and bf16 are multiplied by tensor cores wherever TMA can load", "[choice]") {
  test::need_sm90a();
  auto const chosen_for = [](std::int64_t m, std::int64_t n, std::int64_t k, __half* a = aligned) {
    return gemm::chosen(row_major(a, m, k), col_major(aligned, k, n), row_major(result, m, n));
  };
  for (std::int64_t const size : {256, 480, 512, 1000, 1024, 2200, 3000, 4095, 4096, 8192}) {
    CAPTURE(size);
    CHECK(chosen_for(size, size, size).policy.starts_with("sm90_wgmma"));
  }
  CHECK_FALSE(chosen_for(4096, 4096, 0).policy.starts_with("sm90_wgmma"));  // nothing for TMA to load
  // Few tiles and a long k: slices, of few tiles by a second kernel, of more in clusters.
  CHECK(chosen_for(256, 256, 65536).slices > 8);
  CHECK(chosen_for(64, 3456, 3584).slices > 1);
  CHECK(chosen_for(128, 4096, 14336).in_cluster);
  CHECK(chosen_for(32, 14336, 4096).slices == 1);
  // Few rows get low tiles, and few columns narrow ones.
  CHECK(chosen_for(16, 6144, 4096).policy == "sm90_wgmma_16x64x64");
  CHECK(chosen_for(4096, 16, 4096).policy == "sm90_wgmma_64x16x64");
  gemm::choice const packed = chosen_for(4096, 4096, 4096, aligned + 1), straight = chosen_for(4096, 4096, 4096);
  CHECK(packed.policy.starts_with("sm90_wgmma"));
  CHECK(packed.packs_a);
  CHECK(!packed.packs_b);
  CHECK(packed.seconds > straight.seconds);
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("tensor cores are those of one kind of device") {
  cpu_device::scoped_options with;
  with->device.compute_capability_major = 8;
  gemm::status const s = gemm::can_run<gemm::sm90_wgmma_128x256x64_2x1>(
      row_major(aligned, 8, 8), row_major(aligned, 8, 8), row_major(result, 8, 8));
  CHECK(s.code() == gemm::status_code::unsupported_device);
  CHECK_THAT(s.message(),
             Equals("sm90_wgmma_128x256x64_2x1 needs a device of compute capability 9.0, and code compiled "
                    "for sm_90a"));
}
#endif
