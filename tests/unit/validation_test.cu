// SPDX-License-Identifier: BSL-1.0
//! @file
//! Bad input: the status names the argument, the value and the rule, and nothing is launched or written.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using gemm::batched;
using gemm::col_major;
using gemm::row_major;
using packing = gemm::repacked<gemm::persistent_64x64x32>;
using policy = gemm::naive<gemm::block<8, 16>>;

/// Operands of a legal 4 x 6 by 6 x 8 product, and a C that must stay as it is.
struct memory {
  test::device_array<float> a{std::vector<float>(200, 1)}, b{std::vector<float>(200, 1)}, c{std::vector<float>(200, 7)};

  bool untouched() const { return c.download() == std::vector<float>(200, 7); }
};

/// As options of another library that is built on this one.
struct converted_options {
  float factor;

  operator gemm::options<float>() const { return {.alpha = factor}; }
};

/// The message of a call that must be refused by run() and can_run() alike.
template <class A, class B, class C>
std::string refusal(A a, B b, C c, gemm::options<float> opts = {}) {
  gemm::status const status = gemm::run<policy>(a, b, c, opts), asked = gemm::can_run<policy>(a, b, c, opts);
  CHECK_FALSE(status);
  CHECK(status.code() == gemm::status_code::invalid_argument);
  CHECK(status.cuda_error() == cudaSuccess);
  CHECK(std::string(status.message()) == asked.message());
  return status.message();
}

}  // namespace

TEST_CASE("a legal call has an empty message", "[validation]") {
  memory m;
  gemm::status const s =
      gemm::run<policy>(row_major(m.a.data(), 4, 6), row_major(m.b.data(), 6, 8), row_major(m.c.data(), 4, 8));
  CHECK(s);
  CHECK(s.code() == gemm::status_code::success);
  CHECK(s.message() == std::string());
  CHECK(m.c.download()[31] == 6);
  CHECK(m.c.download()[32] == 7);
}

TEST_CASE("what follows C is the options, the epilogue or both", "[validation]") {
  memory m;
  auto const a = row_major(m.a.data(), 4, 6), b = row_major(m.b.data(), 6, 8);
  auto const c = row_major(m.c.data(), 4, 8);
  auto const first = [&](gemm::status const& s) {
    CHECK(s);
    return m.c.download()[0];
  };
  gemm::options<float> const twice{.alpha = 2};
  CHECK(first(gemm::run<policy>(a, b, c)) == 6);
  CHECK(first(gemm::run<policy>(a, b, c, {})) == 6);
  CHECK(first(gemm::run<policy>(a, b, c, {.alpha = 2})) == 12);
  CHECK(first(gemm::run<policy>(a, b, c, twice)) == 12);
  CHECK(first(gemm::run<policy>(a, b, c, converted_options{3})) == 18);
  CHECK(first(gemm::run<policy>(a, b, c, gemm::scale(0.5F))) == 3);
  CHECK(first(gemm::run<policy>(a, b, c, {}, gemm::scale(0.5F))) == 3);
  CHECK(first(gemm::run<policy>(a, b, c, {.alpha = 4}, gemm::scale(0.5F))) == 12);
  CHECK(first(gemm::run<policy>(a, b, c, converted_options{4}, gemm::scale(0.5F))) == 12);
  CHECK(gemm::can_run<policy>(a, b, c, converted_options{4}));
  CHECK(gemm::can_run<policy>(a, b, c, gemm::scale(0.5F)));
  CHECK(gemm::workspace_size<policy>(a, b, c, gemm::scale(0.5F)) == 0);
  CHECK_FALSE(gemm::chosen(a, b, c, gemm::scale(0.5F)).policy.empty());
}

TEST_CASE("alpha and beta of int8_t are integers", "[validation]") {
  test::device_array<std::int8_t> const a(std::vector<std::int8_t>(16, 1)), b(std::vector<std::int8_t>(16, 3));
  test::device_array<std::int32_t> c(std::vector<std::int32_t>(16, 100));
  gemm::options<std::int32_t> opts{.alpha = short{2}, .beta = 1};
  CHECK(opts.alpha == 2);
  opts.beta = -1;
  auto const x = row_major(a.data(), 4, 4), y = row_major(b.data(), 4, 4);
  CHECK(gemm::run<policy>(x, y, row_major(c.data(), 4, 4), opts));
  CHECK(c.download()[15] == 2 * 12 - 100);
  CHECK(gemm::run<policy>(x, y, row_major(c.data(), 4, 4), {.alpha = -3, .beta = 2}));
  CHECK(c.download()[15] == -3 * 12 + 2 * (2 * 12 - 100));
  CHECK(gemm::run<policy>(gemm::scaled(x, 5), y, row_major(c.data(), 4, 4)));
  CHECK(c.download()[15] == 5 * 12);
}

TEST_CASE("shapes must agree", "[validation]") {
  memory m;
  auto const a = row_major(m.a.data(), 4, 6);
  auto const b = row_major(m.b.data(), 6, 8);
  auto const c = row_major(m.c.data(), 4, 8);
  CHECK_THAT(refusal(row_major(m.a.data(), 5, 6), b, c), Equals("A has 5 rows, needs m = 4, the rows of C"));
  CHECK_THAT(refusal(a, row_major(m.b.data(), 7, 8), c), Equals("B has 7 rows, needs k = 6, the columns of A"));
  CHECK_THAT(refusal(a, row_major(m.b.data(), 6, 9), c), Equals("B has 9 columns, needs n = 8, the columns of C"));
  CHECK_THAT(refusal(row_major(m.a.data(), -4, 6), b, c), Equals("A is -4 x 6, needs sizes of 0 or more"));
  CHECK_THAT(refusal(a, b, row_major(m.c.data(), 4, -8)), Equals("C is 4 x -8, needs sizes of 0 or more"));
  CHECK(m.untouched());
}

TEST_CASE("leading dimensions must cover a line", "[validation]") {
  memory m;
  auto const a = row_major(m.a.data(), 4, 6);
  auto const b = row_major(m.b.data(), 6, 8);
  auto const c = row_major(m.c.data(), 4, 8);
  CHECK_THAT(refusal(row_major(m.a.data(), 4, 6, 5), b, c),
             Equals("lda is 5, needs at least 6, the columns of A (4 x 6, row-major)"));
  CHECK_THAT(refusal(a, col_major(m.b.data(), 6, 8, 5), c),
             Equals("ldb is 5, needs at least 6, the rows of B (6 x 8, column-major)"));
  CHECK_THAT(refusal(a, b, row_major(m.c.data(), 4, 8, -8)),
             Equals("ldc is -8, needs at least 8, the columns of C (4 x 8, row-major)"));
  CHECK_THAT(refusal(row_major(m.a.data(), 4, 0, 0), row_major(m.b.data(), 0, 8), c),
             Equals("lda is 0, needs at least 1, the columns of A (4 x 0, row-major)"));
  CHECK(m.untouched());
}

TEST_CASE("elements of a line must be neighbours", "[validation]") {
  memory m;
  auto a = row_major(m.a.data(), 4, 6);
  a.step = 2;
  CHECK_THAT(refusal(a, row_major(m.b.data(), 6, 8), row_major(m.c.data(), 4, 8)),
             Equals("the elements of a row of A are 2 apart, need to be neighbours (use col_major, or copy)"));
  CHECK(m.untouched());
}

TEST_CASE("pointers must be aligned and not null where they are used", "[validation]") {
  memory m;
  float* const none = nullptr;
  auto const a = row_major(m.a.data(), 4, 6);
  auto const b = row_major(m.b.data(), 6, 8);
  auto const c = row_major(m.c.data(), 4, 8);
  CHECK_THAT(refusal(row_major(none, 4, 6), b, c), Equals("A is null, needs 4 x 6 elements"));
  CHECK_THAT(refusal(a, row_major(none, 6, 8), c), Equals("B is null, needs 6 x 8 elements"));
  CHECK_THAT(refusal(a, b, row_major(none, 4, 8)), Equals("C is null, needs memory for 4 x 8 elements"));
  auto* const odd = reinterpret_cast<float*>(reinterpret_cast<std::uintptr_t>(m.b.data()) + 2);
  CHECK_THAT(refusal(a, row_major(odd, 6, 8), c),
             ContainsSubstring("B's pointer") && ContainsSubstring("is not a multiple of its element's 4 bytes"));
  CHECK(m.untouched());
}

TEST_CASE("C must not be A or B where these are read", "[validation]") {
  memory m;
  float* const all = m.c.data();
  auto const a = row_major(m.a.data(), 8, 8), b = row_major(m.b.data(), 8, 8), c = row_major(all, 8, 8);
  char at[40];
  std::snprintf(at, sizeof(at), "C's pointer %p is also ", static_cast<void*>(all));
  std::string const begin = at;
  CHECK_THAT(refusal(c, b, c), Equals(begin + "A's, needs memory of its own: A is read while C is written"));
  CHECK_THAT(refusal(a, c, c), Equals(begin + "B's, needs memory of its own: B is read while C is written"));
  CHECK_THAT(refusal(c, c, c), ContainsSubstring("also A's"));
  // Whatever the order, the type and the batch.
  CHECK_THAT(refusal(transposed(c), b, col_major(all, 8, 8)), ContainsSubstring("also A's"));
  CHECK_THAT(refusal(a, row_major(static_cast<float const*>(all), 8, 8), c), ContainsSubstring("also B's"));
  CHECK_THAT(refusal(a, batched(c, 2), batched(c, 2)), ContainsSubstring("also B's"));
  CHECK_THAT(refusal(c, b, c, {.beta = 1}), ContainsSubstring("also A's"));
  auto const halves = row_major(reinterpret_cast<__half*>(all), 8, 8);
  CHECK_THAT(gemm::can_run(a, c, halves).message(), ContainsSubstring("also B's"));
  CHECK(gemm::workspace_size<gemm::split_k<gemm::pipelined_64x64x16, 4>>(
            row_major(all, 8, 100), row_major(m.b.data(), 100, 2), row_major(all, 8, 2)) == 0);
  CHECK(gemm::chosen(c, b, c).policy.empty());
  CHECK_FALSE(gemm::chosen(a, b, c).policy.empty());
  CHECK(m.untouched());
  // What an epilogue adds may be C, and so may operands that are not read, and of products that are empty.
  CHECK(gemm::can_run<policy>(a, b, c, {}, gemm::residual(c)));
  CHECK(gemm::run<policy>(c, c, row_major(all, 8, 0)).code() == gemm::status_code::invalid_argument);  // B's columns
  CHECK(gemm::run<policy>(row_major(all, 8, 4), row_major(all, 4, 0), row_major(all, 8, 0)));
  CHECK(gemm::run<policy>(row_major(all, 8, 0), row_major(all, 0, 8), c, {.beta = 1}));
  CHECK(gemm::run<policy>(c, c, c, {.alpha = 0, .beta = 1}));
  CHECK(m.untouched());
}

TEST_CASE("sizes must be addressable", "[validation]") {
  memory m;
  std::int64_t const huge = std::int64_t{1} << 40;
  CHECK_THAT(refusal(row_major(m.a.data(), huge, 6, huge), row_major(m.b.data(), 6, 8), row_major(m.c.data(), huge, 8)),
             ContainsSubstring("A spans") && ContainsSubstring("more than can be addressed"));
  CHECK_THAT(refusal(row_major(m.a.data(), huge, 6), row_major(m.b.data(), 6, huge), col_major(m.c.data(), huge, huge)),
             ContainsSubstring("C spans"));
  // Small enough to be addressed, too many tiles for a grid.
  std::int64_t const many = std::int64_t{1} << 36;
  CHECK_THAT(refusal(row_major(m.a.data(), many, 1), row_major(m.b.data(), 1, 8), row_major(m.c.data(), many, 8)),
             Equals("C has 8589934592 x 1 tiles of 8 x 16, more than the 2^31 - 1 blocks of a grid"));
  // No product of sizes may overflow on the way, which the sanitizer sees.
  CHECK_THAT(refusal(batched(row_major(m.a.data(), huge, huge), 2), batched(row_major(m.b.data(), huge, 8), 2),
                     batched(row_major(m.c.data(), huge, 8), 2)),
             ContainsSubstring("A spans"));
  CHECK(gemm::can_run(row_major(m.a.data(), 5, 0), row_major(m.b.data(), 0, 8, std::int64_t{1} << 62),
                      row_major(m.c.data(), 5, 8)));
  std::int64_t const deep = std::int64_t{1} << 58;  // to be packed
  auto const line = row_major(m.a.data() + 1, 1, deep);
  CHECK(gemm::workspace_size<packing>(line, transposed(line), row_major(m.c.data(), 1, 1)) == 0);
  CHECK_THAT(gemm::can_run<packing>(line, transposed(line), row_major(m.c.data(), 1, 1)).message(),
             ContainsSubstring("k = 288230376151711744"));
  CHECK(m.untouched());
}

TEST_CASE("batches must agree and keep the results apart", "[validation]") {
  memory m;
  auto const a = row_major(m.a.data(), 4, 6);
  auto const b = row_major(m.b.data(), 6, 8);
  auto const c = row_major(m.c.data(), 4, 8);
  CHECK_THAT(refusal(batched(a, 2), b, batched(c, 3)), Equals("A has a batch of 2, needs 3, the batch of C, or 1"));
  CHECK_THAT(refusal(a, batched(b, 2), c), Equals("B has a batch of 2, needs 1, the batch of C, or 1"));
  CHECK_THAT(refusal(batched(a, -1), b, c), Equals("A has a batch of -1, needs 0 or more"));
  CHECK_THAT(refusal(a, b, batched(c, 2, 0)),
             Equals("C has a batch of 2 with stride 0, needs a stride that keeps the results apart"));
  for (std::int64_t const stride : {1, 7, -8, 24, -31}) {  // to the last line's last element
    CHECK_THAT(refusal(a, b, batched(c, 2, stride)), Equals("C has a batch of 2 with stride " + std::to_string(stride) +
                                                            ", needs a stride that keeps the results apart"));
  }
  // Between each other's lines, of 8 elements of 20.
  auto const wide = row_major(m.c.data(), 4, 8, 20);
  for (std::int64_t const stride : {7, 13, 27, 67, -53}) {
    CHECK_THAT(refusal(a, b, batched(wide, 2, stride)),
               ContainsSubstring("needs a stride that keeps the results apart"));
  }
  for (std::int64_t const stride : {8, 12, 28, -52, 68, 73}) {
    CHECK(gemm::can_run<policy>(a, b, batched(wide, 2, stride)));
  }
  CHECK_THAT(refusal(a, b, batched(wide, 3, 12)), ContainsSubstring("a batch of 3 with stride 12, needs a stride"));
  CHECK(gemm::can_run<policy>(a, b, batched(row_major(m.c.data(), 4, 8), 2, -32)));
  CHECK_THAT(refusal(a, b, batched(c, std::int64_t{1} << 33, 32)),
             Equals("the batch of 8589934592 is more than the 65535^2 of a grid"));
  CHECK(gemm::run<policy>(batched(a, 0), b, batched(c, 0)));
  CHECK(m.untouched());
}

TEST_CASE("results of a batch lie apart if and only if no two of them share an element", "[validation]") {
  for (std::int64_t lines = 1; lines < 5; ++lines) {
    for (std::int64_t length = 1; length < 5; ++length) {
      for (std::int64_t ld = length; ld < 12; ++ld) {
        for (std::int64_t stride = 0; stride <= lines * ld; ++stride) {
          std::set<std::int64_t> written;
          bool apart = true;
          for (std::int64_t count = 1; count < 9; ++count) {
            for (std::int64_t i = 0; i < lines * length; ++i) {
              apart = written.insert((count - 1) * stride + i / length * ld + i % length).second && apart;
            }
            CAPTURE(lines, length, ld, stride, count);
            auto const found = [&](bool rows, std::int64_t step) {
              gemm::detail::view_facts const c{.name = "C",
                                               .ld_name = "ldc",
                                               .row_major = rows,
                                               .element_bits = 32,
                                               .data = nullptr,
                                               .rows = rows ? lines : length,
                                               .columns = rows ? length : lines,
                                               .ld = ld,
                                               .step = 1,
                                               .batch_count = count,
                                               .batch_stride = step};
              return static_cast<bool>(gemm::detail::validate_written(c));
            };
            if (found(true, stride) != apart || found(false, -stride) != apart) {
              FAIL("the rule says otherwise");
            }
          }
        }
      }
    }
  }
}

TEST_CASE("lines of elements that share a byte begin with one", "[validation]") {
  unsigned char const data[1] = {};
  auto const found = [&](std::int64_t lines, std::int64_t ld, std::int64_t count, std::int64_t stride) {
    gemm::detail::view_facts const b{.name = "B",
                                     .ld_name = "ldb",
                                     .row_major = true,
                                     .element_bits = 4,
                                     .data = data,
                                     .rows = lines,
                                     .columns = 5,
                                     .ld = ld,
                                     .step = 1,
                                     .batch_count = count,
                                     .batch_stride = stride};
    return gemm::detail::validate_view(b);
  };
  CHECK(found(3, 6, 2, 18));
  CHECK(found(1, 5, 1, 5));
  CHECK_THAT(found(3, 5, 1, 0).message(),
             Equals("ldb is 5 and the batch stride of B 0, need multiples of 2: lines begin with a byte"));
  CHECK_THAT(found(3, 6, 2, 17).message(), ContainsSubstring("the batch stride of B 17, need multiples of 2"));
}

TEST_CASE("a grid has a block for each product of a batch of any count", "[validation]") {
  memory m;
  auto p = gemm::detail::problem_of(row_major(m.a.data(), 4, 6), row_major(m.b.data(), 6, 8),
                                    row_major(m.c.data(), 4, 8), 1.0F, 0.0F, gemm::identity{});
  auto const& of = gemm::detail::compiled_kernel_of<policy, decltype(p)>;
  for (std::int64_t const count : {1, 65535, 65536, 65537, 131071}) {
    p.batch_count = count;
    dim3 const grid = gemm::detail::plan_launch(of, p, {}).grid;
    CHECK(std::int64_t{grid.y} * grid.z >= count);
    CHECK((grid.y <= 65535 && grid.z <= 65535));
  }
}

TEST_CASE("a workspace must be what it says", "[validation]") {
  memory m;
  auto const a = row_major(m.a.data(), 4, 6);
  auto const b = row_major(m.b.data(), 6, 8);
  auto const c = row_major(m.c.data(), 4, 8);
  CHECK(gemm::workspace_size<policy>(a, b, c) == 0);
  CHECK(gemm::workspace_size(a, b, c) == 0);
  CHECK_THAT(refusal(a, b, c, {.workspace = {.data = nullptr, .bytes = 64}}),
             Equals("the workspace is null, but has 64 bytes"));
  auto* const odd = reinterpret_cast<void*>(0x1008);
  CHECK_THAT(refusal(a, b, c, {.workspace = {.data = odd, .bytes = 64}}),
             Equals("the workspace's pointer 0x1008 is not a multiple of 16 bytes"));
  CHECK(m.untouched());
  CHECK(gemm::run<policy>(a, b, c, {.workspace = {.data = m.b.data(), .bytes = 0}}));
}

namespace {

/// A policy that asks for more threads than a block may have, which its check does not notice.
struct too_many_threads : policy {
  static constexpr int threads = 2048;

  template <class, class Problem, bool>
  static consteval auto kernel() {
    return &gemm::detail::naive_kernel<policy, Problem>;
  }
};

}  // namespace

TEST_CASE("a device that does not answer is reported and leaves no error behind", "[validation]") {
  int value = 0;
  gemm::status const s = gemm::detail::device_attribute(value, cudaDevAttrMax);
  CHECK(s.code() == gemm::status_code::cuda_failure);
  CHECK(s.cuda_error() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a failed launch is reported and leaves no error behind", "[validation]") {
  memory m;
  gemm::status const s = gemm::run<too_many_threads>(row_major(m.a.data(), 4, 6), row_major(m.b.data(), 6, 8),
                                                     row_major(m.c.data(), 4, 8));
  CHECK_FALSE(s);
  CHECK(s.code() == gemm::status_code::cuda_failure);
  CHECK(s.cuda_error() != cudaSuccess);
  CHECK_THAT(s.message(), ContainsSubstring("too_many_threads was not launched: "));
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(m.untouched());
}
