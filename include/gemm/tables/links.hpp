// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is measured of the links between GPUs: gemm_distributed prints a row.
#pragma once

#include <string_view>

namespace gemm::tables {

/// What a GPU's exchange with the others takes: bytes a second into or out of it, seconds.
struct link_rates {
  std::string_view gpu{};           // or of ranks of several hosts, their network
  double copy = 350e9;              // that copy engines move,
  double copy_start = 4e-6;         // and a copy besides, with the word that says that it is there
  double store = 300e9;             // that tiles store into others' memory
  double meeting = 7e-6;            // of all ranks
  double sum_start = 4e-6;          // of the kernel that adds parts
  double collective = 300e9;        // that NCCL moves,
  double collective_start = 15e-6;  // and a collective besides
  double last_wave = 0.8;           // part of the device that the last rows of a product may take where others are
                                    // summed beside them; 0: the sum follows the product
  double collective_share = 0.12;   // part of the multiprocessors that it takes from a product beside it
};

/// Of two H200 with 18 links, as gemm_distributed measured them; of the H100 not measured, about what NVLink's fourth
/// generation is known for.
inline constexpr link_rates links[] = {{.gpu = "NVIDIA H200",
                                        .copy = 3.75e11,
                                        .copy_start = 5.7e-6,
                                        .store = 3.67e11,
                                        .meeting = 4.7e-6,
                                        .sum_start = 4.6e-6,
                                        .collective = 2.55e11,
                                        .collective_start = 7.9e-6,
                                        .collective_share = 0.087},
                                       {.gpu = "NVIDIA H100 80GB HBM3"}};

/// Between hosts, assumed: 400 Gbit/s a GPU.
inline constexpr link_rates network{
    .gpu = "network", .copy = 45e9, .store = 45e9, .meeting = 30e-6, .collective = 45e9, .collective_start = 30e-6};

/// Those of a GPU; the first ones of another.
constexpr link_rates const& links_of(std::string_view gpu) {
  link_rates const* found = &links[0];
  for (link_rates const& row : links) {
    found = row.gpu == gpu ? &row : found;
  }
  return *found;
}

}  // namespace gemm::tables
