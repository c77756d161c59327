// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is multiplied: one line of a list of shapes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// C (m x n) = A (m x k) B (k x n), all row-major, of which A and B may be stored transposed; or a batch of these.
struct problem {
  std::string dtype;  ///< name of a bench::element
  bool transposed_a = false, transposed_b = false;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;
  std::string kind;         ///< the list's word for it: square, tall, ...
  bool has_sides = false;   ///< whether there is memory for what epilogues read and write
  bool has_scales = false;  ///< whether there is memory for scales

  /// As in the names of benchmarks: "f32/nn/4096x4096x4096", "f32/nn/64x64x64/batch:1000".
  std::string name() const;

  /// Operations, a multiplication and an addition being two.
  double flops() const;

  /// Bytes of A, B and C, each counted once: the least that must move.
  double bytes() const;

  /// Bytes of C alone.
  double bytes_of_c() const;
};

/// The problems of a list, without those whose element type is not measured (a line on stderr names the type) and
/// without repetitions. A line is `dtype storage m n k [kind] [batch=N]`, # begins a comment. Throws where the file
/// cannot be read or a line is not of this form; the message names file and line.
std::vector<problem> read_shapes(std::string const& path);

}  // namespace bench
