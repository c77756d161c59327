// SPDX-License-Identifier: BSL-1.0
//! @file
//! A batch of matrices in host memory, with everything round it that a kernel must not touch.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "subject.hpp"

namespace test {

/// How a matrix lies in memory.
struct placement {
  gemm::order layout = gemm::order::row;
  std::int64_t padding = 0;       ///< elements between two lines, beyond the line itself
  bool aligned = false;           ///< with as many more as make each line begin at a multiple of 16 bytes of the first
  std::int64_t misalignment = 0;  ///< elements that the first one is off a multiple of 256 bytes
  bool guarded = true;            ///< false: the memory ends with the last element, for the address sanitizer
};

/// Whether two memories are the same bit for bit; unlike ==, also where they hold NaN.
template <class T>
bool same_bits(std::vector<T> const& x, std::vector<T> const& y) {
  return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}

/// The memory holds, in this order: a guard zone, the batch, a guard zone. Guard zones and the padding of lines are
/// poison, so that a kernel that reads them shows in its result; they must come back bit for bit.
template <class T>
class host_matrix {
 public:
  host_matrix(std::int64_t rows, std::int64_t columns, std::int64_t batch_count, placement const& place)
      : rows_(rows), columns_(columns), batch_count_(batch_count), place_(place) {
    std::int64_t const length = place.layout == gemm::order::row ? columns : rows;
    std::int64_t const lines = place.layout == gemm::order::row ? rows : columns;
    std::int64_t const unit = place.aligned ? 16 / static_cast<std::int64_t>(sizeof(T)) : 1;
    auto const padded = [&](std::int64_t elements) { return (elements + place.padding + unit - 1) / unit * unit; };
    ld_ = padded(length > 1 ? length : 1);
    stride_ = padded(lines * ld_);
    front_ = (place.guarded ? guard : 0) + place.misalignment;
    std::int64_t const last =
        lines == 0 || length == 0 || batch_count == 0 ? 0 : (batch_count - 1) * stride_ + (lines - 1) * ld_ + length;
    values_.assign(static_cast<std::size_t>(front_ + last + (place.guarded ? guard : 0)), poison<T>());
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t batch_count() const { return batch_count_; }

  T& at(std::int64_t batch, std::int64_t row, std::int64_t column) {
    return values_[static_cast<std::size_t>(index(batch, row, column))];
  }
  T const& at(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    return values_[static_cast<std::size_t>(index(batch, row, column))];
  }

  /// Sets every element to value(batch, row, column).
  template <class Value>
  void fill(Value value) {
    for (std::int64_t batch = 0; batch < batch_count_; ++batch) {
      for (std::int64_t row = 0; row < rows_; ++row) {
        for (std::int64_t column = 0; column < columns_; ++column) {
          at(batch, row, column) = static_cast<T>(value(batch, row, column));
        }
      }
    }
  }

  /// The whole memory, guard zones included.
  std::vector<T>& memory() { return values_; }
  std::vector<T> const& memory() const { return values_; }

  /// The matrices in a copy of memory() at `memory`, on either side.
  template <class U>
  any_matrix<U> view(U* memory) const {
    return {.data = memory + front_,
            .rows = rows_,
            .columns = columns_,
            .ld = ld_,
            .layout = place_.layout,
            .batch_count = batch_count_,
            .batch_stride = batch_count_ == 1 ? 0 : stride_};
  }

  /// Describes the first place outside the matrices where `other` differs from this memory bit for bit; empty if none.
  std::string trespass(std::vector<T> const& other) const {
    std::vector<bool> inside(values_.size(), false);
    for (std::int64_t batch = 0; batch < batch_count_; ++batch) {
      for (std::int64_t row = 0; row < rows_; ++row) {
        for (std::int64_t column = 0; column < columns_; ++column) {
          inside[static_cast<std::size_t>(index(batch, row, column))] = true;
        }
      }
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!inside[i] && std::memcmp(&values_[i], &other[i], sizeof(T)) != 0) {
        return "written outside the matrix, " + std::to_string(static_cast<std::int64_t>(i) - front_) +
               " elements from its first";
      }
    }
    return {};
  }

 private:
  static constexpr std::int64_t guard = 64;  // a multiple of every access width, so that it keeps the alignment

  std::int64_t index(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    return front_ + batch * stride_ + (place_.layout == gemm::order::row ? row * ld_ + column : column * ld_ + row);
  }

  std::int64_t rows_, columns_, batch_count_;
  placement place_;
  std::int64_t ld_, stride_, front_;
  std::vector<T> values_;
};

}  // namespace test
