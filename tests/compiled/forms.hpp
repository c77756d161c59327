// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the tests of forms of products share: matrices of small integers, and which products are compiled.
#pragma once

#include <gemm/gemm.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../support/device.hpp"
#include "../support/types.hpp"
#include "call.hpp"

namespace test {

/// A batch of matrices, on the host and on the device, of small integers that every type holds.
template <class T>
struct form_matrix {
  std::vector<T> host;
  device_array<T> device;
  gemm_matrix of_call;

  form_matrix(std::int64_t batch, std::int64_t rows, std::int64_t columns, int order, int modulus, int least)
      : host(values(batch * rows * columns, modulus, least)),
        device(host),
        of_call(order == GEMM_ROW_MAJOR ? gemm_row_major(device.data(), type_of<T>(), rows, columns)
                                        : gemm_col_major(device.data(), type_of<T>(), rows, columns)) {
    of_call.batch_count = batch;
    of_call.batch_stride = batch == 1 ? 0 : rows * columns;
  }

  std::size_t index(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    bool const by_row = of_call.order == GEMM_ROW_MAJOR;
    return static_cast<std::size_t>(batch * of_call.batch_stride +
                                    (by_row ? row * of_call.ld + column : column * of_call.ld + row));
  }
  double at(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    return static_cast<double>(number(host[index(of_call.batch_count == 1 ? 0 : batch, row, column)]));
  }
  bool is_unchanged() const {
    std::vector<T> const now = device.download();
    return std::memcmp(now.data(), host.data(), host.size() * sizeof(T)) == 0;
  }

 private:
  static std::vector<T> values(std::int64_t count, int modulus, int least) {
    std::vector<T> all(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = rounded<T>(static_cast<double>(static_cast<int>(i * 7 + i / 5 + i / 31) % modulus + least));
    }
    return all;
  }
};

/// Powers of two from 1/2 to 2: scales by which products stay exact.
inline std::vector<float> powers(std::int64_t count) {
  std::vector<float> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<float>(1 << ((i + i / 3) % 3)) / 2;
  }
  return all;
}

/// Whether a product is compiled. Of a column-major C the library computes the transposed product: `form` is its form.
inline bool is_compiled(std::string const& types, int order_a, int order_b, int order_c, std::string const& form) {
  auto const name = [](bool row) { return row ? "row" : "column"; };
  bool const swaps = order_c == GEMM_COLUMN_MAJOR;
  int const first = swaps ? order_b : order_a, second = swaps ? order_a : order_b;
  int const row = swaps ? GEMM_COLUMN_MAJOR : GEMM_ROW_MAJOR;
  std::string const products = std::string("\n") + gemm_compiled_products();
  return products.find("\n" + types + ", " + name(first == row) + " x " + name(second == row) + form + "\n") !=
         std::string::npos;
}

}  // namespace test
