// SPDX-License-Identifier: BSL-1.0
//! @file
//! What gemm::chosen() tells of a choice.
#pragma once

#include <string_view>

namespace gemm {

/// Who has chosen: the model, or a plan that was tuned (gemm/tune.cuh).
enum class choice_source : unsigned char { model, tuned };

/// A policy, and what is known of it. The policy's sides are those of the product that kernels compute: of C, or where
/// C is column-major, of its transpose.
struct choice {
  std::string_view policy;  ///< its name()
  double seconds = 0;       ///< predicted time of the product, packing included; measured, where it was tuned
  double waves = 0;         ///< how often its blocks fill the device
  int slices = 1;           ///< that k is cut into
  bool in_cluster = false;  ///< and added as cluster_split_k does it, else as split_k
  bool tail = false;        ///< for the last tiles alone, as stream_k does it
  bool packs_a = false;     ///< whether A is copied first, as repacked does it
  bool packs_b = false;     ///< whether B is
  choice_source source = choice_source::model;
  std::string_view note{};  ///< what keeps faster policies away: code that the program lacks; empty otherwise
};

}  // namespace gemm
