// SPDX-License-Identifier: BSL-1.0
//! @file
//! The checker and the reference, apart from the tests so that they are compiled once, optimised and without
//! sanitizers.

#include "checker.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <type_traits>

namespace test {

namespace {

/// Whether got is what wide arithmetic says, with the errors that the types may make.
template <class In, class Out>
bool agrees(Out element, gemm::expected<In> const& want, gemm::wide_t<In> bound, bool exact) {
  using wide = gemm::wide_t<In>;
  if constexpr (std::is_integral_v<Out>) {
    return element == rounded<Out>(want.value);
  } else {
    auto const got = static_cast<wide>(number(element));
    if (std::isnan(want.value)) {
      return std::isnan(got);
    }
    if (exact || std::isinf(want.value)) {
      return got == static_cast<wide>(number(rounded<Out>(want.value)));
    }
    if (std::isinf(got)) {  // right only where the true value is so near to overflow that rounding may reach it
      return std::abs(want.value) + bound >= static_cast<wide>(gemm::element_traits<Out>::greatest) &&
             std::signbit(got) == std::signbit(want.value);
    }
    constexpr auto most = static_cast<wide>(gemm::element_traits<Out>::greatest);
    wide const nearest = saturates<Out> ? std::clamp(want.value, -most, most) : want.value;
    return std::abs(got - nearest) <= bound;  // false for NaN
  }
}

/// A matrix, or a batch of them, row by row: the reference is compiled for one order instead of eight of A, B and C.
template <class T>
class by_rows {
 public:
  /// Copies the elements where the call reads them.
  by_rows(any_matrix<T> const& x, bool read) : x_(x), stride_(x.batch_stride == 0 ? 0 : x.rows * x.columns) {
    std::int64_t const count = !read ? 0 : x.batch_stride == 0 ? 1 : x.batch_count;
    elements_.reserve(static_cast<std::size_t>(count * x.rows * x.columns));
    bool const in_rows = x.layout == gemm::order::row;
    std::int64_t const down = in_rows ? x.ld : 1, across = in_rows ? 1 : x.ld;
    for (std::int64_t batch = 0; batch < count; ++batch) {
      for (std::int64_t row = 0; row < x.rows; ++row) {
        for (std::int64_t column = 0; column < x.columns; ++column) {
          elements_.push_back(x.data[batch * x.batch_stride + row * down + column * across]);
        }
      }
    }
  }

  gemm::matrix<T const, gemm::order::row> view() const {
    return {.data = elements_.data(),
            .rows = x_.rows,
            .columns = x_.columns,
            .ld = x_.columns,
            .batch_count = x_.batch_count,
            .batch_stride = stride_};
  }

 private:
  any_matrix<T> x_;
  std::int64_t stride_;
  std::vector<std::remove_const_t<T>> elements_;
};

}  // namespace

template <class Types>
std::vector<gemm::expected<typename Types::input>> reference_of(call<Types> const& host) {
  bool const reads = host.alpha != 0 && host.a.columns != 0;
  by_rows const a(host.a, reads), b(host.b, reads);
  by_rows const c(host.c, host.beta != 0);
  return gemm::reference(a.view(), b.view(), c.view(), host.alpha, host.beta);
}

template <class In, class Out>
verdict compare(host_matrix<Out> const& got, std::vector<gemm::expected<In>> const& want, std::int64_t k, bool exact) {
  verdict result;
  std::size_t i = 0;
  for (std::int64_t batch = 0; batch < got.batch_count(); ++batch) {
    for (std::int64_t row = 0; row < got.rows(); ++row) {
      for (std::int64_t column = 0; column < got.columns(); ++column, ++i) {
        Out const element = got.at(batch, row, column);
        auto const value = static_cast<gemm::wide_t<In>>(number(element));
        auto const bound = gemm::error_bound<In, Out>(want[i], k);
        if (!agrees(element, want[i], bound, exact)) {
          ++result.wrong;
          if (result.wrong <= 5) {
            char line[200];
            std::snprintf(line, sizeof(line), "\n  product %lld, row %lld, column %lld: got %.9g, want %.9g +- %.3g",
                          static_cast<long long>(batch), static_cast<long long>(row), static_cast<long long>(column),
                          static_cast<double>(value), static_cast<double>(want[i].value),
                          exact ? 0.0 : static_cast<double>(bound));
            result.report += line;
          }
        } else if (std::isfinite(value) && bound > 0) {
          auto const error = std::abs(value - want[i].value);
          result.unlikely += error > gemm::likely_error<In, Out>(want[i], k);
          result.worst = std::max(result.worst, static_cast<double>(error / bound));
        }
      }
    }
  }
  return result;
}

template <class Types>
void allow_for_parts(std::vector<gemm::expected<typename Types::input>>& want, call<Types> const& host) {
  using wide = gemm::wide_t<typename Types::input>;
  struct line {
    wide sum = 0, greatest = 0;
    void add(wide element) {
      sum += std::abs(element);
      greatest = std::max(greatest, std::abs(element));
    }
  };
  auto const element = [](auto const& x, std::int64_t batch, std::int64_t row, std::int64_t column) {
    std::int64_t const first = x.batch_count == 1 ? 0 : batch * x.batch_stride;
    return number(x.data[first + (x.layout == gemm::order::row ? row * x.ld + column : column * x.ld + row)]);
  };
  std::int64_t const m = host.c.rows, n = host.c.columns, k = host.alpha == 0 ? 0 : host.a.columns;
  wide const alpha = k == 0 ? wide(0) : std::abs(static_cast<wide>(host.alpha)), terms = static_cast<wide>(k + 4);
  for (std::int64_t batch = 0; batch < host.c.batch_count; ++batch) {
    std::vector<line> rows(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t i = 0; i < m; ++i) {
        rows[static_cast<std::size_t>(i)].add(element(host.a, batch, i, l));
      }
      for (std::int64_t j = 0; j < n; ++j) {
        columns[static_cast<std::size_t>(j)].add(element(host.b, batch, l, j));
      }
    }
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        line const &row = rows[static_cast<std::size_t>(i)], &column = columns[static_cast<std::size_t>(j)];
        auto& magnitude = want[static_cast<std::size_t>((batch * m + i) * n + j)].magnitude;
        // Divided by u = 2^-24, and four roundings more for alpha and beta.
        wide const wide_lines = 0x1p-15 * alpha * (row.greatest * column.sum + column.greatest * row.sum);
        magnitude = ((static_cast<wide>(k) / 64 + 24 + 4) * magnitude + wide_lines) / terms;
      }
    }
  }
}

template <class In>
void add_bias(std::vector<gemm::expected<In>>& want, std::int64_t columns, In const* bias) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    auto const b = static_cast<gemm::wide_t<In>>(number(bias[static_cast<std::int64_t>(i) % columns]));
    want[i].value += b;
    want[i].magnitude += std::abs(b);
  }
}

template <class In>
void finish_chain(std::vector<gemm::expected<In>>& want, std::int64_t rows, std::int64_t columns) {
  using wide = gemm::wide_t<In>;
  for (std::size_t i = 0; i < want.size(); ++i) {
    std::int64_t const row = static_cast<std::int64_t>(i) / columns % rows;
    std::int64_t const column = static_cast<std::int64_t>(i) % columns;
    gemm::expected<In>& e = want[i];
    e.value = weigh{}(std::max(e.value, wide(0)), row, column);
    // Each step adds a rounding of its own and scales the error it is given.
    e.magnitude = e.magnitude * static_cast<wide>(row % 3 + 1) + static_cast<wide>(column % 5);
  }
}

namespace {

template <class... Types>
constexpr auto addresses(std::tuple<Types...> const*) {
  return std::tuple{&reference_of<Types>..., &allow_for_parts<Types>...,
                    &compare<typename Types::input, typename Types::output>..., &add_bias<typename Types::input>...,
                    &finish_chain<typename Types::input>...};
}

/// What has an address is compiled.
[[gnu::used]] constexpr auto compiled = addresses(static_cast<all_types const*>(nullptr));

}  // namespace

}  // namespace test
