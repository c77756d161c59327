// SPDX-License-Identifier: BSL-1.0
//! @file
//! Descriptors of the C interface for the tests' matrices, and a product whose arguments live with it.
#pragma once

#include <gemm/gemm.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../support/subject.hpp"
#include "../support/types.hpp"

namespace test {

/// The gemm_type of an element.
template <class T>
constexpr gemm_type type_of() {
  using element = std::remove_const_t<T>;
  return std::is_same_v<element, float>           ? GEMM_FLOAT
         : std::is_same_v<element, tf32>          ? GEMM_TF32
         : std::is_same_v<element, double>        ? GEMM_DOUBLE
         : std::is_same_v<element, half>          ? GEMM_HALF
         : std::is_same_v<element, bfloat16>      ? GEMM_BFLOAT16
         : std::is_same_v<element, __nv_fp8_e4m3> ? GEMM_E4M3
         : std::is_same_v<element, __nv_fp8_e5m2> ? GEMM_E5M2
         : std::is_same_v<element, int8>          ? GEMM_INT8
                                                  : GEMM_INT32;
}

template <class T>
gemm_matrix descriptor_of(any_matrix<T> const& m) {
  gemm_matrix d = gemm_row_major(m.data, type_of<T>(), m.rows, m.columns);
  d.order = m.layout == gemm::order::row ? GEMM_ROW_MAJOR : GEMM_COLUMN_MAJOR;
  d.ld = m.ld;
  d.batch_count = m.batch_count;
  d.batch_stride = m.batch_stride;
  return d;
}

/// Whether the library has all storages of a pair of types.
template <class Types>
bool has_all_storages() {
  std::string const input = name_of<typename Types::input>();
  std::string const pair = input + " x " + input + " -> " + name_of<typename Types::output>() + ", ";
  std::string const all = gemm_compiled_products();
  for (char const* storage : {"row x row\n", "row x column\n", "column x row\n", "column x column\n"}) {
    if (all.find(pair + storage) == std::string::npos) {
      return false;
    }
  }
  return true;
}

/// A call with its descriptors, for a test to change.
struct c_product {
  gemm_matrix a, b, c;
  gemm_epilogue epilogue = gemm_default_epilogue();
  gemm_call call;
  gemm_status status = {sizeof(gemm_status), 0, 0, ""};

  c_product(gemm_matrix const& a, gemm_matrix const& b, gemm_matrix const& c)
      : a(a), b(b), c(c), call(gemm_default_call(&this->a, &this->b, &this->c)) {}
  c_product(c_product const&) = delete;
  c_product& operator=(c_product const&) = delete;

  /// The message of gemm_run(); empty on success.
  std::string run() {
    gemm_run(&call, &status);
    return status.message;
  }
  /// That of gemm_can_run().
  std::string can_run() {
    gemm_can_run(&call, &status);
    return status.message;
  }
};

}  // namespace test
