// SPDX-License-Identifier: BSL-1.0
//! @file
//! Repacking: what is packed, and the workspace that it needs. What is computed is tested with the list of policies,
//! too.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::batched;
using gemm::col_major;
using gemm::row_major;

using direct = gemm::sm90_simt_tma<gemm::block<256, 64, 32>, gemm::stages<2>>;
using policy = gemm::repacked<direct>;
using in_two = gemm::split_k<policy, 2>;

/// With k cut in both ways.
using packed = gemm::repacked<gemm::sm90_simt_tma_64x64x32>;
using packed_in_three = gemm::split_k<packed, 3>;
using packed_in_cluster = gemm::cluster_split_k<packed, 2>;

/// Whose consumers multiply out of k-major tiles of B.
using reads_k_major = gemm::repacked<gemm::sm90_simt_tma_16x64x32>;

auto* const aligned = reinterpret_cast<float*>(4096);
auto* const result = reinterpret_cast<float*>(8192);  // of which C is, or it would be refused

/// Bytes of a copy: so many lines of so many elements.
constexpr std::size_t copy(std::size_t lines, std::size_t ld) { return (lines * ld * 4 + 127) / 128 * 128; }

/// What is chosen for an n^3 product, where B is k-major.
gemm::choice choice_for(std::int64_t n, float* a = aligned) {
  return gemm::chosen(row_major(a, n, n), col_major(aligned, n, n), row_major(result, n, n));
}

}  // namespace

TEST_CASE("what TMA cannot load is packed, and nothing else", "[repack]") {
  test::need_sm90a();
  auto const c = row_major(result, 5, 8);
  auto const a = row_major(aligned, 5, 12), off_a = row_major(aligned + 1, 5, 12),
             wide_a = row_major(aligned, 5, 12, 13);
  auto const b = row_major(aligned, 12, 8), off_b = row_major(aligned + 2, 12, 8);
  CHECK(gemm::workspace_size<policy>(a, b, c) == 0);
  CHECK(gemm::workspace_size<policy>(off_a, b, c) == copy(5, 12));
  CHECK(gemm::workspace_size<policy>(wide_a, b, c) == copy(5, 12));
  CHECK(gemm::workspace_size<policy>(a, off_b, c) == copy(12, 8));
  CHECK(gemm::workspace_size<policy>(a, col_major(aligned + 1, 12, 8), c) == copy(12, 32));  // whole squares
  CHECK(gemm::workspace_size<reads_k_major>(a, col_major(aligned + 1, 12, 8), c) == copy(8, 12));
  CHECK(gemm::workspace_size<reads_k_major>(off_a, col_major(aligned, 12, 8), c) == copy(5, 12));
  // What the kernel turns itself is packed only if that takes less time.
  CHECK(gemm::workspace_size<policy>(a, col_major(aligned, 12, 8), c) == 0);
  auto const turned = [](std::int64_t m) {
    return gemm::workspace_size<policy>(row_major(aligned, m, 4096), col_major(aligned, 4096, 4096),
                                        row_major(result, m, 4096)) == 0;
  };
  CHECK(turned(128));
  CHECK_FALSE(turned(4096));
  CHECK(gemm::workspace_size<gemm::repacked<gemm::sm90_simt_tma_128x128x32>>(a, col_major(aligned, 12, 8), c) ==
        copy(12, 8));  // never turned, and so by line
  CHECK(gemm::workspace_size<policy>(off_a, off_b, c) == copy(5, 12) + copy(12, 8));
  CHECK(gemm::workspace_size<policy>(row_major(aligned, 5, 0), col_major(aligned, 0, 8), c) == 0);
  // A column-major C is the product of the transposed operands: its A is k-major in the kernel's B.
  CHECK(gemm::workspace_size<policy>(a, b, col_major(result, 5, 8)) == 0);
  CHECK(gemm::workspace_size<policy>(off_a, b, col_major(result, 5, 8)) == copy(12, 32));

  // Lines of 300 elements begin at multiples of 128 bytes, and of 7 at multiples of 16.
  auto const large = row_major(aligned + 1, 7, 300);
  CHECK(gemm::workspace_size<policy>(large, row_major(aligned, 300, 8), row_major(result, 7, 8)) == copy(7, 320));
  CHECK(gemm::workspace_size<policy>(col_major(aligned + 1, 7, 300), row_major(aligned, 300, 8),
                                     row_major(result, 7, 8)) == copy(300, 8));

  // One matrix for all of C's is packed once, and a batch whose matrices begin anywhere as a whole.
  auto const three = batched(c, 3);
  CHECK(gemm::workspace_size<policy>(off_a, batched(b, 3), three) == copy(5, 12));
  CHECK(gemm::workspace_size<policy>(batched(off_a, 3, 0), batched(b, 3), three) == copy(5, 12));
  CHECK(gemm::workspace_size<policy>(batched(a, 3, 62), batched(b, 3), three) == copy(15, 12));

  // The slices of k come after the copies.
  auto const deep_a = row_major(aligned + 1, 5, 64), deep_b = row_major(aligned, 64, 8);
  CHECK(gemm::workspace_size<in_two>(deep_a, row_major(aligned, 64, 8), c) == copy(5, 64) + 2 * 5 * 8 * 4);
  CHECK(gemm::workspace_size<in_two>(row_major(aligned, 5, 64), deep_b, c) == 2 * 5 * 8 * 4);
}

TEST_CASE("a sum of sizes that no memory has is the largest there is", "[repack]") {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  CHECK(gemm::detail::saturated_sum(3, 4) == 7);
  CHECK(gemm::detail::saturated_sum(most, 0) == most);
  CHECK(gemm::detail::saturated_sum(most, 128) == most);
  CHECK(gemm::detail::saturated_sum(most - 5, most - 5) == most);
}

namespace {

/// Whether a policy multiplies small integers exactly, of an A with misaligned rows and NaN between them, and a
/// B that has an infinite element.
template <class Policy>
void check_misaligned(std::int64_t m, std::int64_t k, std::int64_t lda, std::int64_t beyond) {
  constexpr std::int64_t n = 68, infinite_k = 1, infinite_n = 5;
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  auto const of_a = [](std::int64_t i, std::int64_t l) { return static_cast<float>((i * 7 + l * 3) % 11 + 1); };
  auto const of_b = [](std::int64_t l, std::int64_t j) { return static_cast<float>((l * 5 + j * 2) % 9 - 4); };
  std::vector<float> a(static_cast<std::size_t>(beyond + m * lda), nan), b(static_cast<std::size_t>(k * n)),
      want(static_cast<std::size_t>(m * n));
  for (std::int64_t l = 0; l < k; ++l) {
    for (std::int64_t i = 0; i < m; ++i) {
      a[static_cast<std::size_t>(beyond + i * lda + l)] = of_a(i, l);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      b[static_cast<std::size_t>(l * n + j)] = l == infinite_k && j == infinite_n ? infinity : of_b(l, j);
      for (std::int64_t i = 0; i < m; ++i) {
        want[static_cast<std::size_t>(i * n + j)] += of_a(i, l) * b[static_cast<std::size_t>(l * n + j)];
      }
    }
  }
  std::vector<float> biases(static_cast<std::size_t>(m));
  for (std::size_t i = 0; i < want.size(); ++i) {
    std::size_t const row = i / n;
    biases[row] = static_cast<float>(row % 13);
    want[i] += biases[row];
  }
  test::device_array<float> const da(a), db(b), dc(std::vector<float>(want.size(), 7)), dr(biases);
  auto const x = row_major(static_cast<float const*>(da.data()) + beyond, m, k, lda);
  CAPTURE(m, k, lda, beyond);
  REQUIRE(gemm::run<Policy>(x, row_major(db.data(), k, n), row_major(dc.data(), m, n), {},
                            gemm::row_bias(static_cast<float const*>(dr.data()), m)));
  CHECK(dc.download() == want);
}

/// A product of bytes whose operands are packed, beside its sums; `beyond` elements lie before each operand.
template <gemm::order OrderA, gemm::order OrderB>
void check_bytes(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t padding, std::int64_t beyond) {
  auto const at = [](gemm::order o, std::int64_t ld, std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>(o == gemm::order::row ? row * ld + column : column * ld + row);
  };
  std::int64_t const lda = (OrderA == gemm::order::row ? k : m) + padding;
  std::int64_t const ldb = (OrderB == gemm::order::row ? n : k) + padding;
  std::vector<std::int8_t> a(static_cast<std::size_t>(beyond) + at(OrderA, lda, m - 1, k - 1) + 1, 99);
  std::vector<std::int8_t> b(static_cast<std::size_t>(beyond) + at(OrderB, ldb, k - 1, n - 1) + 1, 99);
  std::vector<int> want(static_cast<std::size_t>(m * n));
  auto const of_a = [](std::int64_t i, std::int64_t l) { return static_cast<int>((i * 7 + l * 13) % 251 - 125); };
  auto const of_b = [](std::int64_t l, std::int64_t j) { return static_cast<int>((l * 5 + j * 11) % 241 - 120); };
  for (std::int64_t l = 0; l < k; ++l) {
    for (std::int64_t i = 0; i < m; ++i) {
      a[static_cast<std::size_t>(beyond) + at(OrderA, lda, i, l)] = static_cast<std::int8_t>(of_a(i, l));
    }
    for (std::int64_t j = 0; j < n; ++j) {
      b[static_cast<std::size_t>(beyond) + at(OrderB, ldb, l, j)] = static_cast<std::int8_t>(of_b(l, j));
      for (std::int64_t i = 0; i < m; ++i) {
        want[static_cast<std::size_t>(i * n + j)] += of_a(i, l) * of_b(l, j);
      }
    }
  }
  test::device_array<std::int8_t> const da(a), db(b);
  test::device_array<int> const dc(std::vector<int>(want.size(), 7));
  using gemm::matrix;
  CAPTURE(m, n, k, padding, beyond, OrderA, OrderB);
  REQUIRE(gemm::run<gemm::sm90_wgmma_s8_64x64x128>(matrix<std::int8_t const, OrderA>{da.data() + beyond, m, k, lda},
                                                   matrix<std::int8_t const, OrderB>{db.data() + beyond, k, n, ldb},
                                                   row_major(dc.data(), m, n)));
  CHECK(dc.download() == want);
}

}  // namespace

TEST_CASE("whole tiles of bytes are packed wherever they lie", "[repack][sanitizer]") {
  test::need_sm90a();
  constexpr gemm::order rows = gemm::order::row, columns = gemm::order::column;
  // Aligned; aligned to words; any; and what a funnel shift moves by words alone, and by bytes besides.
  auto const [padding, beyond] = GENERATE(table<std::int64_t, std::int64_t>({{0, 0}, {2, 3}, {3, 1}, {0, 8}, {1, 14}}));
  check_bytes<rows, columns>(257, 131, 385, padding, beyond);
  check_bytes<rows, rows>(130, 258, 257, padding, beyond);
  check_bytes<columns, rows>(256, 256, 256, padding, beyond);
  check_bytes<columns, columns>(259, 66, 300, padding, beyond);
}

TEST_CASE("misaligned rows are multiplied, whatever lies between them", "[repack][sanitizer]") {
  test::need_sm90a();
  check_misaligned<packed>(70, 33, 33, 0);
  check_misaligned<packed>(5, 62, 63, 1);
  check_misaligned<packed>(7, 31, 34, 3);
  check_misaligned<packed>(66, 161, 164, 2);
  check_misaligned<packed_in_three>(6, 128, 129, 0);
  check_misaligned<packed_in_cluster>(6, 94, 95, 2);
}

TEST_CASE("packed or not, the results are the same bits", "[repack][sanitizer]") {
  test::need_sm90a();
  constexpr std::int64_t m = 70, n = 68, k = 92, count = 2;
  std::vector<float> a(count * m * k), b(k * n), odd_a(count * m * k + 1), odd_transpose(k * n + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = odd_a[i + 1] = static_cast<float>(i * 7919 % 1009) / 101;
  }
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      b[static_cast<std::size_t>(i * n + j)] = odd_transpose[static_cast<std::size_t>(j * k + i + 1)] =
          static_cast<float>((i * n + j) * 7907 % 1013) / 107;
    }
  }
  test::device_array<float> const da(a), db(b), odd(odd_a), odd_t(odd_transpose);
  test::device_array<float> const want(std::vector<float>(count * m * n, 7)), got(want.download());
  REQUIRE(gemm::run<direct>(batched(row_major(da.data(), m, k), count), row_major(db.data(), k, n),
                            batched(row_major(want.data(), m, n), count)));

  auto const x = batched(row_major(odd.data() + 1, m, k), count);
  auto const y = col_major(odd_t.data() + 1, k, n);
  auto const z = batched(row_major(got.data(), m, n), count);
  std::size_t const needed = gemm::workspace_size<policy>(x, y, z), elements = needed / sizeof(float);
  CHECK(needed == copy(count * m, k) + copy(k, 96));
  test::device_array<float> const space(std::vector<float>(elements + 8, 3));

  gemm::options<float> opts{.workspace = {.data = space.data(), .bytes = needed - 1}};
  gemm::status const small = gemm::run<policy>(x, y, z, opts);
  CHECK(small.code() == gemm::status_code::invalid_argument);
  CHECK_THAT(small.message(), Equals("the workspace has 86911 bytes, needs 86912"));
  CHECK(std::string(gemm::can_run<policy>(x, y, z, opts).message()) == small.message());
  CHECK(got.download() == std::vector<float>(count * m * n, 7));
  CHECK(space.download() == std::vector<float>(elements + 8, 3));

  opts.workspace.bytes = needed;
  REQUIRE(gemm::run<policy>(x, y, z, opts));
  CHECK(got.download() == want.download());
  std::vector<float> const after = space.download();
  CHECK(std::vector<float>(after.end() - 8, after.end()) == std::vector<float>(8, 3));

  // With alpha of 0 nothing is read, packed or needed.
  opts = {.alpha = 0, .workspace = {.data = space.data(), .bytes = 0}};
  CHECK(gemm::run<policy>(x, y, z, opts));
  CHECK(got.download() == std::vector<float>(count * m * n, 0));
}

// Not for racecheck, which does not follow the order through a warp, one lane of which arrives for all.
TEST_CASE("a k-major B is turned in shared memory or read as it is, beside a copy of A or not", "[repack]") {
  test::need_sm90a();
  constexpr std::int64_t m = 70, n = 68, k = 92;
  auto const of_a = [](std::int64_t i, std::int64_t l) { return static_cast<float>((i * 7 + l * 3) % 11 + 1); };
  auto const of_b = [](std::int64_t l, std::int64_t j) { return static_cast<float>((l * 5 + j * 2) % 9 - 4); };
  std::vector<float> a(m * k + 4), b(k * n), want(m * n);
  std::int64_t const beyond = GENERATE(0, 1);
  for (std::int64_t l = 0; l < k; ++l) {
    for (std::int64_t i = 0; i < m; ++i) {
      a[static_cast<std::size_t>(beyond + i * k + l)] = of_a(i, l);
    }
    for (std::int64_t j = 0; j < n; ++j) {
      b[static_cast<std::size_t>(j * k + l)] = of_b(l, j);
      for (std::int64_t i = 0; i < m; ++i) {
        want[static_cast<std::size_t>(i * n + j)] += of_a(i, l) * of_b(l, j);
      }
    }
  }
  test::device_array<float> const da(a), db(b);
  auto const check = [&]<class Policy>() {
    test::device_array<float> const dc(std::vector<float>(want.size(), 7));
    auto const x = row_major(static_cast<float const*>(da.data()) + beyond, m, k);
    auto const y = col_major(static_cast<float const*>(db.data()), k, n);
    auto const z = row_major(dc.data(), m, n);
    INFO(gemm::name<Policy>());
    CHECK(gemm::workspace_size<Policy>(x, y, z) == (beyond == 0 ? 0 : copy(m, k)));
    REQUIRE(gemm::run<Policy>(x, y, z));
    CHECK(dc.download() == want);
  };
  check.operator()<policy>();
  check.operator()<gemm::repacked<gemm::sm90_simt_tma<gemm::block<64, 128, 32>, gemm::stages<3>, gemm::k_groups<2>>>>();
  check.operator()<gemm::repacked<gemm::persistent_64x64x32>>();
  check.operator()<reads_k_major>();
}

TEST_CASE("what TMA cannot address packed either is refused", "[repack]") {
  constexpr std::int64_t many = std::int64_t{1} << 31;
  gemm::status const s =
      gemm::can_run<policy>(row_major(aligned, many, 4), row_major(aligned, 4, 8), row_major(result, many, 8));
  CHECK(s.code() == gemm::status_code::invalid_argument);
  CHECK_THAT(s.message(), Equals("m = 2147483648, n = 8, k = 4, batch 1: TMA needs each to be 2^31 - 1 or less"));
  // A block for each 64 x 64 elements.
  auto const tiny = [](std::int64_t count, float* data = aligned) { return batched(row_major(data, 1, 1), count, 1); };
  gemm::status const t = gemm::can_run<policy>(tiny(many / 2), tiny(many / 2), tiny(many / 2, result));
  CHECK_THAT(t.message(), Equals("to pack A and B takes 2.15e+09 blocks, more than the 2^31 - 1 of a grid"));
}

TEST_CASE("operands are packed where that pays, and where there is room", "[repack][choice]") {
  test::need_sm90a();
  gemm::choice const transposed = choice_for(4096), both = choice_for(4096, aligned + 1), small = choice_for(128);
  CHECK(transposed.policy == "repacked<sm90_simt_tma_128x128x32>");
  CHECK(!transposed.packs_a);
  CHECK(transposed.packs_b);
  CHECK(both.packs_a);
  CHECK(both.packs_b);
  CHECK(both.seconds > transposed.seconds);
  CHECK(!small.packs_b);
  CHECK(choice_for(3999).packs_b);  // or it is copied element by element

  // On an H200 a whole number of waves, so that k is not split: or there would be its slices, too.
  auto const a = row_major(aligned, 4096, 4096), c = row_major(result, 4096, 4224);
  auto const b = col_major(aligned, 4096, 4224);
  constexpr std::size_t needed = copy(4096, 4224);
  CHECK(gemm::workspace_size(a, b, c) == needed);
  CHECK(gemm::can_run(a, b, c, {.workspace = {.data = aligned, .bytes = needed}}));
  CHECK(gemm::can_run(a, b, c, {.workspace = {.data = aligned, .bytes = needed - 1}}));
  gemm::choice const straight = gemm::chosen(a, row_major(aligned, 4096, 4224), c);
  CHECK(straight.policy == "sm90_simt_tma_128x128x32");
  CHECK(!straight.packs_a);
  CHECK(!straight.packs_b);
}

TEST_CASE("mma.sync's operands are packed where that takes less time than narrow copies", "[repack][choice]") {
  auto* const doubles = reinterpret_cast<double*>(4096);
  auto* const other = reinterpret_cast<double*>(8192);
  auto const chosen_for = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::chosen(row_major(doubles, m, k), row_major(doubles, k, n), row_major(other, m, n));
  };
  gemm::choice const large = chosen_for(4095, 4097, 4093), even = chosen_for(4096, 4096, 4096);
  CHECK(large.policy.starts_with("repacked<sm80_mma_f64"));
  CHECK(large.packs_a);
  CHECK(large.packs_b);
  CHECK(large.seconds > even.seconds);
  CHECK(!even.packs_a);
  CHECK(!even.packs_b);
  CHECK(!chosen_for(129, 127, 65).packs_b);
}

TEST_CASE("blocks that would crowd, or multiply several tiles, do not come before all is packed", "[repack]") {
  int const multiprocessors = gemm::detail::multiprocessors_of_call();
  REQUIRE(multiprocessors > 0);
  auto const early = [&]<class T = float, class Policy>(Policy, int tiles, gemm::detail::split_plan const& split = {},
                                                        T* any = reinterpret_cast<T*>(4096)) {
    auto const c = row_major(any, std::int64_t{tiles} * Policy::block_m, 5);
    auto p = gemm::detail::problem_of(row_major(any, c.rows, 7), row_major(any, 7, 5), c, 1.0F, 0.0F, gemm::identity{});
    return gemm::detail::may_come_early(gemm::detail::compiled_kernel_of<Policy, decltype(p)>, p, split);
  };
  CHECK_FALSE(early(gemm::sm90_simt_tma_64x64x32{}, multiprocessors));  // of which two fit on one
  CHECK(early(gemm::sm90_simt_tma_64x64x32{}, multiprocessors + 1));
  CHECK(early(gemm::sm90_simt_tma_64x64x32{}, multiprocessors, {.slices = 2}));
  CHECK_FALSE(early(gemm::persistent_64x64x32{}, 2 * multiprocessors));  // and three of these
  CHECK(early(gemm::sm90_simt_tma_16x64x32{}, 1));                       // one fits
  auto* const halves = reinterpret_cast<__half*>(4096);
  CHECK(early(gemm::sm90_wgmma_ping_pong_128x128x64{}, 3 * multiprocessors - 1, {}, halves));
  CHECK_FALSE(early(gemm::sm90_wgmma_ping_pong_128x128x64{}, 3 * multiprocessors, {}, halves));
  CHECK(early(gemm::sm90_wgmma_128x256x64_2x1{}, 9 * multiprocessors, {}, halves));  // in clusters
}
