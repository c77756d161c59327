// SPDX-License-Identifier: BSL-1.0
//! @file
//! run<batch_invariant>: the bits of a row of C do not depend on m, on its place, or on other products. And all kernels
//! that it chooses among for some problem give the same bits.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace {

using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;
using gemm::order;
using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;

template <class T>
std::vector<T> random_numbers(std::size_t count, unsigned seed) {
  gemm::random_numbers random(seed);
  std::vector<T> values(count);
  for (T& x : values) {
    double const u = random.uniform();
    if constexpr (std::is_integral_v<T>) {
      x = static_cast<T>(std::lround(u * 100));
    } else {
      x = static_cast<T>(static_cast<float>(u));
    }
  }
  return values;
}

/// Rows of `length` with so many elements behind each.
template <class T>
std::vector<T> padded(std::vector<T> const& rows, std::int64_t length, std::int64_t pad) {
  std::vector<T> result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.push_back(rows[i]);
    result.resize(result.size() + static_cast<std::size_t>((i + 1) % static_cast<std::size_t>(length) == 0 ? pad : 0));
  }
  return result;
}

template <order Order, class T>
auto view_of(T* data, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  if constexpr (Order == order::row) {
    return gemm::row_major(data, rows, columns, ld);
  } else {
    return gemm::col_major(data, rows, columns, ld);
  }
}

/// Operands of random numbers, of which products take some rows. Tf32: floats multiplied as such.
template <class In, class Out, order A, order B, order C, bool Tf32 = false>
struct operands {
  using output = Out;
  static constexpr float untouched = 2;  // that C has beforehand
  std::int64_t m, n, k;
  test::device_array<In> a, b;
  std::int64_t lda, ldb = B == order::row ? n : k;

  operands(std::int64_t rows, std::int64_t columns, std::int64_t depth, std::int64_t pad = 0)
      : m(rows),
        n(columns),
        k(depth),
        a(padded(random_numbers<In>(static_cast<std::size_t>(rows * depth), 1), A == order::row ? depth : rows, pad)),
        b(random_numbers<In>(static_cast<std::size_t>(depth * columns), 2)),
        lda((A == order::row ? depth : rows) + pad) {}

  static auto multiplied(auto const& view) {
    if constexpr (Tf32) {
      return gemm::as_tf32(view);
    } else {
      return view;
    }
  }
  auto rows_of_a(std::int64_t first, std::int64_t rows) const {
    return multiplied(view_of<A>(static_cast<In const*>(a.data()) + first * (A == order::row ? lda : 1), rows, k, lda));
  }
  auto all_of_b() const { return multiplied(view_of<B>(static_cast<In const*>(b.data()), k, n, ldb)); }

  test::device_array<Out> new_c(std::int64_t rows) const {
    return test::device_array<Out>(std::vector<Out>(static_cast<std::size_t>(rows * n), static_cast<Out>(untouched)));
  }
  static auto view_c(Out* data, std::int64_t rows, std::int64_t n) {
    return view_of<C>(data, rows, n, C == order::row ? n : rows);
  }
  /// In rows, whatever C's order.
  std::vector<Out> in_rows(std::vector<Out> const& c, std::int64_t rows) const {
    std::vector<Out> result(c);
    for (std::int64_t i = 0; C == order::column && i < rows; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        result[static_cast<std::size_t>(i * n + j)] = c[static_cast<std::size_t>(j * rows + i)];
      }
    }
    return result;
  }

  /// The product of some rows, C in rows.
  template <class Choice = gemm::batch_invariant>
  std::vector<Out> product(std::int64_t first, std::int64_t rows) const {
    test::device_array<Out> const c = new_c(rows);
    gemm::status const status =
        gemm::run<Choice>(rows_of_a(first, rows), all_of_b(), view_c(c.data(), rows, n), {.alpha = 3, .beta = 1});
    REQUIRE_THAT(status.message(), Equals(""));
    return in_rows(c.download(), rows);
  }
};

/// Elements of rows that differ in a bit from those of `all` from row `first` on.
template <class Out>
int differing(std::vector<Out> const& some, std::vector<Out> const& all, std::int64_t first, std::int64_t n) {
  int count = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    count += std::memcmp(&some[i], &all[static_cast<std::size_t>(first * n) + i], sizeof(Out)) == 0 ? 0 : 1;
  }
  return count;
}

/// Numbers of rows: for all tiles of few rows, and for those of many.
std::vector<std::int64_t> const some_m =
    test::has_all ? std::vector<std::int64_t>{1, 2, 15, 16, 17, 33, 64, 65, 100, 129, 300, 512, 1000, 2048, 4096, 8192}
                  : std::vector<std::int64_t>{1, 3, 16, 40, 65, 130};

/// Rows of products of all these sizes are those of the largest, wherever they begin.
template <class Operands>
void check_rows(std::int64_t n, std::int64_t k) {
  std::int64_t const most = some_m.back();
  Operands const x(most, n, k);
  auto const all = x.product(0, most);
  for (std::int64_t const m : some_m) {
    for (std::int64_t const first : {std::int64_t{0}, std::min(most - m, std::int64_t{13})}) {
      CAPTURE(m, first, n, k);
      CHECK(differing(x.product(first, m), all, first, n) == 0);
    }
  }
}

/// Every kernel that may be chosen for m rows, in every way that it may split k, has the bits of the choice. Adds their
/// names.
template <class Operands, class Out>
void check_kernels(Operands const& x, std::int64_t m, std::vector<Out> const& all, std::set<std::string>& names) {
  namespace own = gemm::detail;
  auto const c = x.new_c(m);
  auto const p = own::problem_of_call<gemm::batch_invariant>(
      x.rows_of_a(0, m), x.all_of_b(), Operands::view_c(c.data(), m, x.n),
      gemm::detail::options_for<decltype(x.rows_of_a(0, m))>{.alpha = 3, .beta = 1}, gemm::identity{});
  using problem = std::remove_const_t<decltype(p)>;
  using list = own::candidates<gemm::batch_invariant, problem>;
  own::known_device const known(nullptr);
  own::device_info device;
  REQUIRE(own::current_device_info(device));
  auto const& kernels = own::listed_kernels<problem>(list{});
  own::fixed_bits const bits = own::fixed_bits_of(kernels, p, device);
  int index = -1;
  std::vector<own::splits> const ways =
      bits.slices.most > 1 ? std::vector<own::splits>{{.in_workspace = true}, {.in_cluster = true}, {.in_block = true}}
                           : std::vector<own::splits>{{}};
  for (auto const& kernel : kernels) {
    ++index;
    for (own::splits const& way : ways) {
      auto listed = kernel;
      listed.allowed = {.in_workspace = kernel.allowed.in_workspace && way.in_workspace,
                        .in_cluster = kernel.allowed.in_cluster && way.in_cluster,
                        .in_block = kernel.allowed.in_block && way.in_block};
      constexpr auto any = static_cast<std::size_t>(-1);
      own::call_plan plan = bits.admits(*kernel.kernel, kernel.allowed, p)
                                ? own::best_plan_of(listed, p, device, any, {}, nullptr, bits)
                                : own::call_plan{};
      if (!std::isfinite(plan.seconds) || !own::check_plan(plan, p)) {
        continue;
      }
      own::lay_out_launch(plan, p);
      test::device_array<unsigned char> const memory(plan.bytes);
      test::device_array<Out> const result = x.new_c(m);
      auto q = p;
      q.c.data = result.data();
      INFO(plan.name() << " of " << m << " rows, slices " << plan.split.slices);
      REQUIRE_THAT((own::enqueue_function_of<problem>(list{}, index)(q, plan, memory.data(), nullptr)).message(),
                   Equals(""));
      CHECK(differing(x.in_rows(result.download(), m), all, 0, x.n) == 0);
      names.insert(std::string(plan.name()) + (way.in_block       ? " in a block"
                                               : way.in_cluster   ? " in clusters"
                                               : way.in_workspace ? " in a workspace"
                                                                  : ""));
    }
  }
}

/// For products of so many rows, at least so many kernels and ways.
template <class Operands>
void check_kernels(std::int64_t n, std::int64_t k, std::size_t least,
                   std::vector<std::int64_t> const& of_rows = {13, 60}) {
  Operands const x(of_rows.back(), n, k);
  auto const all = x.product(0, of_rows.back());
  std::set<std::string> names;
  for (std::int64_t const m : of_rows) {
    check_kernels(x, m, all, names);
  }
  std::string listed;
  for (std::string const& name : names) {
    listed += name + ", ";
  }
  INFO(listed);
  CHECK(names.size() >= least);
}

/// Products of all rows of A and one B, ragged by these ends: C in rows.
template <class Operands, class Out = typename Operands::output>
std::vector<Out> ragged_product(Operands const& x, std::vector<std::int32_t> const& ends) {
  auto const groups = static_cast<std::int64_t>(ends.size());
  test::device_array<std::int32_t> const ranges(ends);
  test::device_array<Out> const c = x.new_c(x.m);
  gemm::status const status = gemm::run<gemm::batch_invariant>(
      gemm::ragged_rows(x.rows_of_a(0, x.m), ranges.data(), groups), x.all_of_b(),
      gemm::ragged_rows(Operands::view_c(c.data(), x.m, x.n), ranges.data(), groups), {.alpha = 3, .beta = 1});
  REQUIRE_THAT(status.message(), Equals(""));
  return x.in_rows(c.download(), x.m);
}

/// Rows of ragged products are the same whatever the ends, and the same as those of one product if `as_one`.
template <class Operands>
void check_ragged(std::int64_t m, std::int64_t n, std::int64_t k, bool as_one) {
  Operands const x(m, n, k);
  auto const end = static_cast<std::int32_t>(m);
  auto const all = ragged_product(x, {end});
  for (std::vector<std::int32_t> const& ends :
       {std::vector<std::int32_t>{1, 2, 2, 19, 19, end - 70, end}, {end - 1, end}, {5, 10, 15, 20, 25, end}}) {
    CHECK(differing(ragged_product(x, ends), all, 0, n) == 0);
  }
  if (as_one) {
    CHECK(differing(x.product(0, m), all, 0, n) == 0);
  }
}

/// Those of masked products likewise: groups of 16 rows of which some count.
template <class Operands, class Out = typename Operands::output>
void check_masked(std::int64_t groups, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t most = 16;
  Operands const x(most * groups, n, k);
  std::vector<std::int32_t> counts(static_cast<std::size_t>(groups), 1);
  counts[1] = 0;
  counts[2] = most;
  test::device_array<std::int32_t> const on_device(counts);
  test::device_array<Out> const c = x.new_c(x.m);
  gemm::status const status = gemm::run<gemm::batch_invariant>(
      gemm::masked(gemm::batched(x.rows_of_a(0, most), groups), on_device.data()), x.all_of_b(),
      gemm::masked(gemm::batched(Operands::view_c(c.data(), most, n), groups), on_device.data()),
      {.alpha = 3, .beta = 1});
  REQUIRE_THAT(status.message(), Equals(""));
  auto const found = c.download(), all = x.product(0, x.m);
  for (std::int64_t group = 0; group < groups; ++group) {
    auto const first = found.begin() + group * most * n;
    std::vector<Out> const rows(first, first + counts[static_cast<std::size_t>(group)] * n);
    CHECK(differing(rows, all, group * most, n) == 0);
  }
}

/// Of a k that is cut in four, and whose steps and slices are not whole.
constexpr std::int64_t long_k = 2200;

}  // namespace

TEST_CASE("slices of k follow from n and k", "[batch_invariant]") {
  auto const slices = [](std::int64_t n, std::int64_t k, std::int64_t longest) {
    gemm::detail::slicing const s = gemm::detail::slices_of_columns(n, k, longest);
    CHECK(s.depth % 128 == 0);
    CHECK((s.most == 1 ||
           (s.depth <= longest && std::int64_t{s.most} * s.depth >= k && (std::int64_t{s.most} - 1) * s.depth < k)));
    return s.most;
  };
  CHECK(slices(3584, 7168, 7168) == 1);
  CHECK(slices(3583, 7168, 7168) == 2);
  CHECK(slices(3583, 1023, 1023) == 1);
  CHECK(slices(1791, 7168, 7168) == 4);
  CHECK(slices(64, 7168, 7168) == 8);
  CHECK(slices(64, 2200, 2200) == 4);
  CHECK(slices(8192, 131072, 32768) == 4);
  CHECK(slices(8192, 131073, 32768) == 5);
  CHECK(slices(1, 1, 1) == 1);
}

template <order A, order B, order C = order::row>
using of_bf16 = operands<bf16, float, A, B, C>;
constexpr order row = order::row, column = order::column;

TEST_CASE("bits of bfloat16 do not depend on m", "[batch_invariant]") {
  check_rows<of_bf16<row, column>>(40, long_k);
  check_rows<of_bf16<row, row>>(72, long_k);
#if !defined(GEMM_TEST_CPU_DEVICE)
  check_rows<of_bf16<column, row>>(520, long_k);
  check_rows<of_bf16<column, column>>(520, long_k);
  check_rows<of_bf16<row, column, column>>(2112, 4096);
  check_rows<operands<bf16, bf16, row, column, row>>(4096, 4096);
#endif
}

TEST_CASE("bits do not depend on the alignment of rows", "[batch_invariant]") {
  using kind = of_bf16<row, column>;
  CHECK(differing(kind(40, 40, long_k, 1).product(0, 40), kind(40, 40, long_k).product(0, 40), 0, 40) == 0);
  using floats = operands<float, float, row, column, row>;
  CHECK(differing(floats(40, 40, long_k, 1).product(0, 40), floats(40, 40, long_k).product(0, 40), 0, 40) == 0);
}

TEST_CASE("bits of run() depend on m, which this test would see", "[batch_invariant]") {
  test::need_sm90a();
  of_bf16<row, column> const x(some_m.back(), 40, long_k);
  auto const all = x.product<gemm::automatic>(0, some_m.back());
  int count = 0;
  for (std::int64_t const m : some_m) {
    count += differing(x.product<gemm::automatic>(0, m), all, 0, 40);
  }
  CHECK(count > 0);
}

TEST_CASE("bits of other types do not depend on m", "[batch_invariant]") {
  check_rows<operands<float, float, row, row, row>>(40, long_k);
  check_rows<operands<float, float, row, column, row>>(40, long_k);
  check_rows<operands<double, double, row, row, row>>(40, long_k);
  check_rows<operands<__half, __half, row, column, row>>(40, long_k);
  check_rows<operands<float, float, row, column, row, true>>(40, 500);
  check_rows<operands<e4m3, bf16, row, column, row>>(40, 500);
  check_rows<operands<std::int8_t, std::int32_t, row, column, row>>(40, 500);
#if !defined(GEMM_TEST_CPU_DEVICE)
  check_rows<operands<float, float, column, row, row, true>>(520, 500);
#endif
}

TEST_CASE("all kernels of one instruction have the same bits", "[batch_invariant]") {
  bool const wgmma = gemm::detail::current_code().wgmma;
  check_kernels<of_bf16<row, column>>(40, long_k, wgmma ? 5 : 3);
  check_kernels<of_bf16<row, column>>(40, 300, wgmma ? 9 : 3);
  check_kernels<of_bf16<row, row>>(40, long_k, wgmma ? 5 : 3);
  check_kernels<operands<float, float, row, row, row>>(40, long_k, 3);
  check_kernels<operands<float, float, row, column, row>>(40, long_k, 3);
  check_kernels<operands<double, double, row, row, row>>(40, long_k, 2);
  check_kernels<operands<float, float, row, column, row, true>>(40, 300, 3);
  check_kernels<operands<e4m3, bf16, row, column, row>>(40, 300, 3);
}

TEST_CASE("bits of ragged and masked rows do not depend on the others", "[batch_invariant][ragged]") {
  check_ragged<of_bf16<row, column>>(140, 40, long_k, gemm::detail::current_code().wgmma);
  check_masked<of_bf16<row, column>>(5, 40, long_k);
  check_ragged<operands<float, float, row, row, row>>(140, 40, 300, true);
  check_ragged<operands<e4m3, bf16, row, column, row>>(140, 40, 300, true);
#if !defined(GEMM_TEST_CPU_DEVICE)
  check_ragged<of_bf16<row, column>>(8192, 2112, 4096, gemm::detail::current_code().wgmma);
  check_masked<of_bf16<row, column>>(256, 2112, 4096);
  check_ragged<of_bf16<column, row>>(4000, 520, long_k, false);
  check_ragged<operands<float, float, row, row, row>>(4000, 520, long_k, false);
#endif
}

TEST_CASE("bits of a k of its own do not depend on that of other products", "[batch_invariant][ragged]") {
  constexpr std::int64_t m = 40, n = 72, own = 1100, most = 4000;
  test::device_array<bf16> const a(random_numbers<bf16>(static_cast<std::size_t>(m * most), 1)),
      b(random_numbers<bf16>(static_cast<std::size_t>(n * most), 2));
  bf16 const *data_a = a.data(), *data_b = b.data();
  auto const first_of = [&](std::int32_t all) {
    test::device_array<std::int32_t> const ends(std::vector<std::int32_t>{own, all});
    test::device_array<float> const c(static_cast<std::size_t>(2 * m * n));
    gemm::status const status =
        gemm::run<gemm::batch_invariant>(gemm::ragged_columns(gemm::col_major(data_a, m, all), ends.data(), 2),
                                         gemm::ragged_rows(gemm::row_major(data_b, all, n), ends.data(), 2),
                                         gemm::batched(gemm::row_major(c.data(), m, n), 2));
    REQUIRE_THAT(status.message(), Equals(""));
    auto result = c.download();
    result.resize(static_cast<std::size_t>(m * n));
    return result;
  };
  auto const alone = first_of(own);
  CHECK(differing(first_of(own + 100), alone, 0, n) == 0);
  CHECK(differing(first_of(most), alone, 0, n) == 0);
}

TEST_CASE("chosen() says the slices that batch_invariant keeps", "[batch_invariant]") {
  test::need_sm90a();
  auto const chosen = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    auto* const any = reinterpret_cast<bf16 const*>(256);
    return gemm::chosen<gemm::batch_invariant>(gemm::row_major(any, m, k), gemm::col_major(any, k, n),
                                               gemm::row_major(reinterpret_cast<bf16*>(512), m, n));
  };
  for (std::int64_t const m : {1, 16, 64, 100, 500, 5000}) {
    gemm::choice const cut = chosen(m, 2112, 7168), whole = chosen(m, 7168, 2048);
    CAPTURE(m, cut.policy, whole.policy);
    CHECK(cut.slices == 2);
    CHECK(cut.in_block == (cut.policy.find("promoted") != std::string_view::npos));
    CHECK(whole.slices == 1);
    CHECK(whole.policy.find("wgmma") != std::string_view::npos);
  }
  CHECK(chosen(5000, 2112, 7168).in_block);
  CHECK_FALSE(chosen(1, 2112, 7168).in_block);
}

TEST_CASE("batch_invariant refuses what it has no kernel for", "[batch_invariant]") {
  auto* const any = reinterpret_cast<float const*>(256);
  auto const c = gemm::row_major(reinterpret_cast<float*>(512), 100, 40);
  gemm::status const status =
      gemm::can_run<gemm::batch_invariant>(gemm::row_major(any, 100, 4096), gemm::row_major(any, 4096, 40), c,
                                           {.workspace = {reinterpret_cast<void*>(1024), 16}});
  CHECK_THAT(
      status.message(),
      Equals("batch_invariant keeps simt with k in 8 slices for n = 40 and k = 4096, needs a kernel of these for "
             "m = 100 and a batch of 1 within 16 bytes of workspace"));
}
