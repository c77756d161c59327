// SPDX-License-Identifier: BSL-1.0
//! @file
//! The memory of a problem: sets of random A, B, C, side operands and scales that launches use in turn.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "contender.hpp"
#include "cuda.hpp"
#include "problem.hpp"

namespace bench {

/// As many sets of buffers as together exceed 256 MiB and twice the L2 cache, and at least two: a launch finds nothing
/// of its set in the cache but what is left of one that was used a whole turn before. All values are uniform in
/// [-1, 1), integers in [-127, 127), which costs power as real data does: zeros run up to 15 % faster.
/// Scales are 1/8, 1/4 or 1/2: sums of scaled integers stay exact, and below fp8's greatest.
class workload {
 public:
  workload(bench::problem const& p, cudaStream_t stream);

  bench::problem const& problem() const { return problem_; }

  /// The set whose turn it is.
  product next() {
    turn_ = turn_ + 1 == sets_ ? 0 : turn_ + 1;
    return set(turn_);
  }

  /// The set of this index, from 0.
  product set(int index) const;

  /// Bytes of A and B of a set, with what is between them: they lie one behind the other.
  std::size_t bytes_of_operands() const { return bytes_a_ + bytes_b_; }

  /// Enqueues new values of the first set's A and B: integers from -2 to 2, or those that it had at first.
  void fill_first(bool with_integers) const;

 private:
  bench::problem problem_;
  cudaStream_t stream_;
  // Of a buffer, rounded up to keep the next one aligned; of side operands and scales 0 where there are none.
  std::size_t bytes_a_ = 0, bytes_b_ = 0, bytes_c_ = 0, bytes_vector_ = 0, bytes_of_set_ = 0;
  std::size_t bytes_scales_a_ = 0, bytes_scales_b_ = 0, bytes_amax_ = 0;
  int sets_, turn_ = 0;
  device_memory pool_, workspace_;
};

}  // namespace bench
