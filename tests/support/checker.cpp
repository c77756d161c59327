// SPDX-License-Identifier: BSL-1.0
//! @file
//! The checker and the reference, apart from the tests so that they are compiled once, optimised and without
//! sanitizers.

#include "checker.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace test {

namespace {

/// Whether got is what wide arithmetic says, with the errors that T may make.
template <class T>
bool agrees(T got, gemm::expected<T> const& want, gemm::wide_t<T> bound, bool exact) {
  using wide = gemm::wide_t<T>;
  if (std::isnan(want.value)) {
    return std::isnan(got);
  }
  if (exact || std::isinf(want.value)) {
    return static_cast<wide>(got) == want.value;
  }
  if (std::isinf(got)) {  // right only where the true value is so near to overflow that rounding may reach it
    return std::abs(want.value) + bound >= static_cast<wide>(std::numeric_limits<T>::max()) &&
           std::signbit(got) == std::signbit(want.value);
  }
  return std::abs(static_cast<wide>(got) - want.value) <= bound;  // false for NaN
}

}  // namespace

template <class T>
std::vector<gemm::expected<T>> reference_of(call<T> const& host) {
  using gemm::order;
  auto const by_order = [](auto const& view, auto action) {
    return view.layout == order::row ? action(view.template as<order::row>())
                                     : action(view.template as<order::column>());
  };
  return by_order(host.a, [&](auto const& a) {
    return by_order(host.b, [&](auto const& b) {
      return by_order(host.c, [&](auto const& c) { return gemm::reference(a, b, c, host.alpha, host.beta); });
    });
  });
}

template <class T>
verdict compare(host_matrix<T> const& got, std::vector<gemm::expected<T>> const& want, std::int64_t k, bool exact) {
  verdict result;
  std::size_t i = 0;
  for (std::int64_t batch = 0; batch < got.batch_count(); ++batch) {
    for (std::int64_t row = 0; row < got.rows(); ++row) {
      for (std::int64_t column = 0; column < got.columns(); ++column, ++i) {
        T const value = got.at(batch, row, column);
        auto const bound = gemm::error_bound(want[i], k);
        if (!agrees(value, want[i], bound, exact)) {
          ++result.wrong;
          if (result.wrong <= 5) {
            char line[200];
            std::snprintf(line, sizeof(line), "\n  product %lld, row %lld, column %lld: got %.9g, want %.9g +- %.3g",
                          static_cast<long long>(batch), static_cast<long long>(row), static_cast<long long>(column),
                          static_cast<double>(value), static_cast<double>(want[i].value),
                          exact ? 0.0 : static_cast<double>(bound));
            result.report += line;
          }
        } else if (std::isfinite(value)) {
          auto const error = std::abs(static_cast<gemm::wide_t<T>>(value) - want[i].value);
          result.unlikely += error > gemm::likely_error(want[i], k);
          result.worst = std::max(result.worst, static_cast<double>(error / bound));
        }
      }
    }
  }
  return result;
}

template <class T>
void apply_chain(std::vector<gemm::expected<T>>& want, std::int64_t rows, std::int64_t columns, T const* bias) {
  using wide = gemm::wide_t<T>;
  std::size_t i = 0;
  for (auto& e : want) {
    std::int64_t const row = static_cast<std::int64_t>(i) / columns % rows;
    std::int64_t const column = static_cast<std::int64_t>(i) % columns;
    wide const b = static_cast<wide>(bias[column]);
    e.value = weigh{}(std::max(e.value + b, wide(0)), row, column);
    // Each step adds a rounding of its own and scales the error it is given.
    e.magnitude = (e.magnitude + std::abs(b)) * static_cast<wide>(row % 3 + 1) + static_cast<wide>(column % 5);
    ++i;
  }
}

template std::vector<gemm::expected<float>> reference_of(call<float> const&);
template std::vector<gemm::expected<double>> reference_of(call<double> const&);
template verdict compare(host_matrix<float> const&, std::vector<gemm::expected<float>> const&, std::int64_t, bool);
template verdict compare(host_matrix<double> const&, std::vector<gemm::expected<double>> const&, std::int64_t, bool);
template void apply_chain(std::vector<gemm::expected<float>>&, std::int64_t, std::int64_t, float const*);
template void apply_chain(std::vector<gemm::expected<double>>&, std::int64_t, std::int64_t, double const*);

}  // namespace test
