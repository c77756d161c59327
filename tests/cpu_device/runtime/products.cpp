// SPDX-License-Identifier: BSL-1.0
//! @file
//! The arithmetic of wgmma, a row at a time: compiled once, and optimised, for all kernels.

#include <bit>
#include <cmath>
#include <cstdint>

#include "cpu_device/arithmetic.hpp"
#include "cpu_device/warpgroup.hpp"

namespace cpu_device {
namespace {

constexpr int some_columns = 8, most_k = 32;

/// The float that a sum becomes: rounded towards 0, where it does not overflow.
float cut_off(double sum) {
  auto const nearest = static_cast<float>(sum);
  bool const beyond = std::fabs(static_cast<double>(nearest)) > std::fabs(sum) && std::isfinite(nearest);
  return beyond ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) - 1) : nearest;
}

}  // namespace

void add_products(std::int32_t const* a, int k, std::int32_t const* b, int n, std::uint32_t* accumulators) {
  for (int l = 0; l < k; ++l) {
    for (int j = 0; j < n; ++j) {
      accumulators[j] += static_cast<std::uint32_t>(a[l] * b[l * n + j]);
    }
  }
}

void powers_of(float const* numbers, int count, float* powers) {
  for (int i = 0; i < count; ++i) {
    powers[i] = static_cast<float>(power_of(numbers[i]));
  }
}

void add_products(float const* a, int k, float const* b, float const* powers, int n, int digits, float* accumulators) {
  double const last_digit = 1 << digits;
  for (int first = 0; first < n; first += some_columns) {
    double products[most_k][some_columns];
    double power[some_columns], whole[some_columns], units[some_columns], total[some_columns];
    for (int j = 0; j < some_columns; ++j) {
      whole[j] = accumulators[first + j];
      power[j] = power_of(whole[j]);
    }
    for (int l = 0; l < k; ++l) {
      double const factor = a[l], power_a = power_of(factor);
      float const *const row = b + l * n + first, *const row_powers = powers + l * n + first;
#pragma GCC unroll 1  // of unrolled ones g++ 12 makes no vectors
      for (int j = 0; j < some_columns; ++j) {
        double const both = power_a * row_powers[j], product = factor * row[j];
        products[l][j] = product;
        whole[j] += product;
        power[j] = power[j] > both ? power[j] : both;
      }
    }
    bool finite = true;
    for (int j = 0; j < some_columns; ++j) {
      bool const own = whole[j] - whole[j] == 0;
      bool const counts = power[j] > 0 && own;
      units[j] = counts ? last_digit / power[j] : 0;
      total[j] = counts ? static_cast<std::int32_t>(accumulators[first + j] * units[j]) : 0;  // towards 0
      finite = finite && own;
    }
    for (int l = 0; l < k; ++l) {
      for (int j = 0; j < some_columns && !finite; ++j) {
        products[l][j] = units[j] > 0 ? products[l][j] : 0;
      }
#pragma GCC unroll 1
      for (int j = 0; j < some_columns; ++j) {
        total[j] += static_cast<std::int32_t>(products[l][j] * units[j]);
      }
    }
    for (int j = 0; j < some_columns; ++j) {
      accumulators[first + j] = units[j] > 0 ? cut_off(total[j] / units[j]) : static_cast<float>(whole[j]);
    }
  }
}

}  // namespace cpu_device
