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

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::batched;
using gemm::col_major;
using gemm::row_major;

using policy = gemm::tensor_core<gemm::block<64, 64, 64>, gemm::stages<3>>;
using in_turns = gemm::tensor_core_ping_pong<gemm::block<64, 64, 64>, gemm::stages<3>>;
using deferring = gemm::tensor_core<gemm::block<128, 144, 64>, gemm::stages<2>>;  // a tile's rows in three boxes
static_assert(deferring::defers_stores && !policy::defers_stores);

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
  CHECK(rows::brought_of<1>(72) == 72);
  CHECK(rows::brought_of<1>(73) == 80);
  CHECK(rows::brought_of<1>(127) == rows::most<1>);
  CHECK(rows::brought_of<4>(72) == 24);
  CHECK(rows::brought_of<4>(100) == rows::most<4>);
  using columns = gemm::detail::swizzled_tile<__half, gemm::major::mn, 240, 64>;  // in boxes of 64, for all blocks
  CHECK(columns::brought_of<1>(1) == 64);
  CHECK(columns::brought_of<2>(65) == 128);
  CHECK(columns::brought_of<2>(239) == columns::most<2>);
}

TEMPLATE_TEST_CASE("a block takes tile after tile, in one product or in the next", "[sanitizer]", policy, in_turns) {
  test::need_sm90a();
#if defined(GEMM_TEST_CPU_DEVICE)
  cpu_device::scoped_options with;
  with->device.multiprocessors = 3;  // so that few tiles are more than run at a time
  constexpr std::int64_t count = 3;
#else
  constexpr std::int64_t count = 60;
#endif
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
#if defined(GEMM_TEST_CPU_DEVICE)
  cpu_device::scoped_options with;
  with->device.multiprocessors = 1;  // so that a block has several tiles
  constexpr std::int64_t count = 2;
#else
  constexpr std::int64_t count = 200;
#endif
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
#if defined(GEMM_TEST_CPU_DEVICE)
  cpu_device::scoped_options with;
  with->device.multiprocessors = 1;
#endif
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
  using in_pieces = gemm::tensor_core_ping_pong<gemm::block<128, 64, 64>, gemm::stages<2>>;
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

TEST_CASE("half and bf16 are multiplied by tensor cores, in tiles that fill the device", "[choice]") {
  test::need_sm90a();
  auto const chosen_for = [](std::int64_t m, std::int64_t n, std::int64_t k, __half* a = aligned) {
    return gemm::chosen(row_major(a, m, k), col_major(aligned, k, n), row_major(result, m, n));
  };
  // In clusters where C has many rows.
  CHECK(chosen_for(4096, 4096, 4096).policy == "tensor_core_128x256x64");
  CHECK(chosen_for(2048, 1024, 8192).policy == "tensor_core_ping_pong_128x128x64_1x2");
  CHECK(chosen_for(1024, 4096, 4096).policy == "tensor_core_128x256x64");
  CHECK(chosen_for(3072, 3072, 3072).policy == "tensor_core_ping_pong_128x144x64");
  CHECK(chosen_for(1920, 4160, 2880).policy == "tensor_core_ping_pong_128x160x64");
  CHECK(chosen_for(4096, 2112, 7168).policy == "tensor_core_ping_pong_128x176x64");
  CHECK(chosen_for(4096, 24576, 1536).policy == "tensor_core_ping_pong_128x176x64");
  CHECK(chosen_for(128, 28672, 4096).policy == "tensor_core_128x224x64");
  CHECK(chosen_for(1024, 1024, 1024).policy == "tensor_core_64x128x64");
  CHECK(chosen_for(2304, 2304, 2304).policy == "tensor_core_ping_pong_128x168x64");
  CHECK(chosen_for(65536, 256, 256).policy == "tensor_core_ping_pong_128x128x64_1x2");
  CHECK(chosen_for(1000, 1000, 1000).policy == "tensor_core_64x160x64_4x1");
  CHECK(chosen_for(512, 512, 512).policy == "tensor_core_64x96x64_2x1");
  CHECK(chosen_for(480, 480, 480).policy == "tensor_core_80x128x64_4x1");
  CHECK(chosen_for(1, 4096, 4096).policy == "skinny_1x32x512");
  // In clusters, where lines do not begin at multiples of 128 bytes, or rows of C not at multiples of 16.
  CHECK(chosen_for(3000, 3000, 3000).policy == "tensor_core_192x192x64_2x1");
  CHECK(chosen_for(5000, 5000, 5000).policy == "tensor_core_224x128x64_1x2");
  CHECK(chosen_for(1800, 1800, 1800).policy == "tensor_core_128x240x64_2x1");
  CHECK(chosen_for(1960, 1960, 1960).policy == "tensor_core_128x256x64_2x1");
  CHECK(chosen_for(2104, 2104, 2104).policy == "tensor_core_192x176x64_1x2");
  CHECK(chosen_for(2440, 2440, 2440).policy == "tensor_core_192x128x64_1x2");
  CHECK(chosen_for(5000, 1000, 2000).policy == "tensor_core_160x256x64_2x1");
  CHECK(chosen_for(1480, 1480, 1480).policy == "tensor_core_192x96x64_1x2");
  CHECK(chosen_for(1080, 1080, 1080).policy == "tensor_core_112x128x64_2x2");
  CHECK(chosen_for(1208, 1208, 1208).policy == "tensor_core_112x128x64_2x2");
  CHECK(chosen_for(1288, 1288, 1288).policy == "tensor_core_ping_pong_128x128x64_1x2");
  CHECK(chosen_for(2200, 2200, 2200).policy == "tensor_core_256x160x64_1x2");
  CHECK(chosen_for(2280, 2280, 2280).policy == "tensor_core_192x208x64_2x1");
  CHECK(chosen_for(4095, 4097, 4093).policy == "tensor_core_128x224x64");
  CHECK(chosen_for(1400, 1400, 1400).policy == "tensor_core_ping_pong_128x128x64_1x2");
  // Slices for all clusters that the device has room for.
  CHECK(chosen_for(256, 256, 65544).policy == "tensor_core_128x128x64_2x2");
  CHECK(chosen_for(256, 256, 65536).slices == 30);
  CHECK(chosen_for(904, 904, 9000).policy == "tensor_core_192x128x64_1x2");
  CHECK(chosen_for(904, 904, 9000).slices == 3);
  // As many as a second kernel adds in less time than a cluster does, or than it takes to add twice as many.
  gemm::choice const added = chosen_for(256, 312, 7168);
  CHECK(added.policy == "tensor_core_128x64x64");
  CHECK(added.slices == 8);
  CHECK(!added.in_cluster);
  CHECK(chosen_for(256, 512, 4584).policy == "tensor_core_128x128x64_2x2");
  CHECK(chosen_for(256, 512, 4584).slices == 8);
  CHECK(chosen_for(64, 3456, 3584).slices == 2);
  // No slices of few rows whose lines begin within sectors, and no lone tile in turns.
  CHECK(chosen_for(32, 6144, 2584).slices == 1);
  CHECK(chosen_for(512, 3072, 768).policy == "tensor_core_64x192x64_2x1");
  // A block for each tile, where they are too few to fill the device one for each slice of k in a cluster.
  CHECK(chosen_for(16, 6144, 4096).policy == "tensor_core_16x64x64");
  CHECK(chosen_for(32, 28672, 4096).policy == "tensor_core_32x64x64");
  // But a second round of blocks for few of them takes longer than higher tiles, and of slices than whole k.
  CHECK(chosen_for(32, 18944, 3584).policy == "tensor_core_ping_pong_128x144x64");
  CHECK(chosen_for(32, 14336, 4096).slices == 1);
  CHECK(chosen_for(28672, 16, 4096).policy == "tensor_core_64x16x64");
  gemm::choice const slices = chosen_for(4096, 20, 4096), flat = chosen_for(128, 4096, 4096);
  CHECK(slices.policy == "tensor_core_64x32x64");
  CHECK(slices.slices == 2);
  CHECK(slices.in_cluster);
  CHECK(flat.policy == "tensor_core_128x64x64");
  CHECK(flat.in_cluster);
  CHECK(chosen_for(128, 6144, 4096).policy == "tensor_core_64x96x64_2x1");
  CHECK(chosen_for(128, 9216, 4096).policy == "tensor_core_64x160x64_2x1");
  CHECK(chosen_for(256, 6144, 4096).policy == "tensor_core_64x192x64_2x1");
  CHECK(chosen_for(160, 4096, 4096).policy == "tensor_core_128x64x64");
  gemm::choice const packed = chosen_for(4096, 4096, 4096, aligned + 1), straight = chosen_for(4096, 4096, 4096);
  CHECK(packed.policy == straight.policy);
  CHECK(packed.packs_a);
  CHECK(!packed.packs_b);
  CHECK(packed.seconds > straight.seconds);
  // Nothing for TMA to bring.
  CHECK(chosen_for(4096, 4096, 0).policy.starts_with("pipelined"));

  auto *const other = reinterpret_cast<__nv_bfloat16*>(4096), *const to = other + 2048;
  auto const chosen_for_nn = [=](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::chosen(row_major(other, m, k), row_major(other, k, n), row_major(to, m, n)).policy;
  };
  CHECK(chosen_for_nn(4096, 4096, 4096) == "tensor_core_128x256x64");
  CHECK(chosen_for_nn(128, 9216, 4096) == "tensor_core_64x192x64_2x1");
  CHECK(chosen_for_nn(128, 6144, 4096) == "tensor_core_64x128x64_2x1");
  CHECK(chosen_for_nn(680, 680, 680) == "tensor_core_80x128x64_4x1");
  CHECK(chosen_for_nn(256, 256, 256) == "tensor_core_64x64x64");
  CHECK(chosen_for_nn(384, 3584, 3584) == "tensor_core_96x128x64_1x4");
  CHECK(chosen_for_nn(1160, 1160, 1160) == "tensor_core_112x128x64_2x2");
  // Where lines of B run along n, tiles begin at whole ones, and have the height that others have the width of.
  CHECK(chosen_for_nn(1920, 4160, 2880) == "tensor_core_ping_pong_160x128x64");
  CHECK(chosen_for_nn(2560, 2560, 2560) == "tensor_core_ping_pong_144x128x64");
  CHECK(chosen_for_nn(2200, 2200, 2200) == "tensor_core_208x192x64_1x2");
  // Where those of A run along m, too, no tile is to begin within them, nor to have a part of them.
  auto const chosen_for_tn = [=](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::chosen(col_major(other, m, k), row_major(other, k, n), row_major(to, m, n)).policy;
  };
  CHECK(chosen_for_tn(448, 448, 448) == "tensor_core_64x64x64");
  CHECK(chosen_for_tn(24, 12928, 4736) == "tensor_core_ping_pong_128x128x64_1x2");
  CHECK(chosen_for_tn(2120, 2120, 2120) == "tensor_core_192x128x64_1x2");
  CHECK(chosen_for_tn(1160, 1160, 1160) == "tensor_core_128x128x64_2x2");
  CHECK(chosen_for_tn(4096, 2112, 7168) == "tensor_core_192x192x64_2x1");
  // But not where C is stored by element: rows that begin anywhere, or floats.
  auto* const floats = reinterpret_cast<float*>(8192);
  CHECK(
      gemm::chosen(row_major(other, 1208, 1208), col_major(other, 1208, 1208), row_major(floats, 1208, 1208)).policy !=
      "tensor_core_112x128x64_2x2");
  CHECK(chosen_for_nn(2560, 2561, 2560) == "tensor_core_128x224x64");
  CHECK(
      gemm::chosen(row_major(other, 2560, 2560), row_major(other, 2560, 2560), row_major(floats, 2560, 2560)).policy ==
      "tensor_core_ping_pong_128x128x64_1x2");
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("tensor cores are those of one kind of device") {
  cpu_device::scoped_options with;
  with->device.compute_capability_major = 8;
  gemm::status const s = gemm::can_run<gemm::tensor_core_128x256x64>(row_major(aligned, 8, 8), row_major(aligned, 8, 8),
                                                                     row_major(result, 8, 8));
  CHECK(s.code() == gemm::status_code::unsupported_device);
  CHECK_THAT(s.message(), Equals("tensor_core_128x256x64 needs a device of compute capability 9.0, and code compiled "
                                 "for sm_90a"));
}
#endif
