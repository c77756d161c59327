// SPDX-License-Identifier: BSL-1.0
//! @file
//! The result of gemm::chosen().
#pragma once

#include <string_view>

namespace gemm {

/// The source of a plan: the price of plans (model), or tuning (gemm/tune.cuh).
enum class choice_source : unsigned char { model, tuned };

/// The plan that run() follows. The policy's rows and columns are those of the product that kernels compute: of C, or
/// where C is column-major, of its transpose.
struct choice {
  std::string_view policy;  ///< its name()
  double seconds = 0;       ///< time of the product, packing included: predicted, or measured where it was tuned
  double waves = 0;         ///< blocks over the CTA slots of the device
  int slices = 1;           ///< of k
  bool in_cluster = false;  ///< reduced in a cluster, as by cluster_split_k, not from a workspace, as by split_k
  bool tail = false;        ///< slices of the last tiles alone, as by stream_k
  bool in_block = false;    ///< slices that each block adds itself, one after the other, for batch_invariant
  bool packs_a = false;     ///< whether A is packed first, as by repacked
  bool packs_b = false;     ///< whether B is packed first
  choice_source source = choice_source::model;  ///< what seconds and the plan are from
  std::string_view note{};                      ///< code that the program lacks and faster policies need; empty: none
};

}  // namespace gemm
