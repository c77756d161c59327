// SPDX-License-Identifier: BSL-1.0
//! @file
//! The copies that cublasLt makes its callers do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contender.hpp"
#include "cuda.hpp"

namespace bench {

/// A product of 8-bit elements as cublasLt has tensor-core algorithms for it: k runs along A and B, and k and n are
/// multiples of 16. Operands that are not so are transposed or padded with zeros into memory of this object; a padded C
/// is cut out of it. Of single products, with the sizes of the first one.
class lt_copies {
 public:
  lt_copies(product const& first, std::size_t output_bytes);

  /// Whether anything is copied.
  bool any() const { return copies_a_ || copies_b_ || copies_c_; }

  /// Enqueues the copies of A and B; the product of these, into the C or the padded one.
  product enqueue_operands(product const& p) const;

  /// Enqueues the copy of a padded C.
  void enqueue_result(product const& p) const;

 private:
  std::int64_t n_, k_;  // padded
  std::size_t output_bytes_;
  bool copies_a_, copies_b_, copies_c_;
  std::size_t begin_b_, begin_c_, bytes_;
  device_memory memory_;
};

}  // namespace bench
