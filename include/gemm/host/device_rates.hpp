// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the model of host/model.hpp knows of the device.
#pragma once

namespace gemm::detail {

/// Blocks that clusters of so many can have at the same time, of `resident` for each multiprocessor: clusters stay
/// within a part of the device, and such parts are not multiples of all sizes (for one block, and for more,
/// cudaOccupancyMaxActiveClusters() on an H200, but for 3 and 4: there it said 237 and 248, and more ran at a time; for
/// three blocks, and four in fives, what ran: 97 clusters of four, 48 of seven, 46 of eight, and 99 of five, take 1.2
/// to 1.5 times as long as one less).
inline double room_for_clusters(int size, int resident, int multiprocessors) {
  constexpr double of_132[] = {132, 132, 132, 117, 120, 110, 102, 105, 120};
  constexpr double of_264[] = {264, 264, 264, 246, 258, 235, 234, 224, 240};
  constexpr double of_396[] = {396, 396, 396, 378, 384, 367, 366, 329, 360};
  double const of_more = size == 4 && resident == 2 ? 264 : of_264[size];  // H200: 260 and 264 were there at a time
  double const left_out = resident == 1                ? 1 - of_132[size] / 132
                          : resident == 3              ? 1 - of_396[size] / 396
                          : resident == 4 && size == 5 ? 1 - 490.0 / 528
                                                       : (1 - of_more / 264) * 2 / resident;
  return (1 - left_out) * resident * multiprocessors;
}

/// The same for a policy's own clusters of `size`: those of 2 find room for all.
inline double room_for_blocks(int size, int resident, int multiprocessors) {
  return size > 2 ? room_for_clusters(size, resident, multiprocessors) : double{1} * resident * multiprocessors;
}

/// What the model knows of the device, in bytes a second and seconds.
struct device_rates {
  double bandwidth, l2_bandwidth;
  double stream_bandwidth;                                 // of stream-K's slices through the L2
  double cluster_bandwidth;                                // of a block, between shared memories
  double launch, second_launch, late_launch, slice_round;  // the last for 32 slices that are added
  double second_launch_of_fragments, fragment_bandwidth;   // likewise, of slices in tiles (block/slice_fragments.cuh),
  double fragment_slice;                                   // and each of the first 16, one after the other
  double stream_addition;                                  // by the last block of stream-K's,
  double slice_bandwidth;                                  // which reads its slices one after the other
  double stream_slice;  // more of them than places: what each costs besides, in a block's overheads
  double first_in_cluster, each_in_cluster;
};

/// Those that the FMA units' policies were fitted with, and those of the tensor cores', whose slices in tiles cost less
/// where they are few (H200, bf16 in 128 x 64: tn 128x512x5504 in eight 7.4 us, in clusters of six 64 x 64 7.9; nt
/// 256x312x7168 in eight 8.0, clusters' 10.3; 256x512x4584 in 128 x 128 in eight 9.6, in 15 12.4).
inline constexpr device_rates fma_rates{.bandwidth = 4.73e12,
                                        .l2_bandwidth = 4.7e12,
                                        .stream_bandwidth = 6e12,
                                        .cluster_bandwidth = 1.38e10,
                                        .launch = 0.749e-6,
                                        .second_launch = 2.48e-6,
                                        .late_launch = 0.822e-6,
                                        .slice_round = 0.377e-6,
                                        .second_launch_of_fragments = 2.9e-6,
                                        .fragment_bandwidth = 5.5e12,
                                        .fragment_slice = 0,
                                        .stream_addition = 2.88e-6,
                                        .slice_bandwidth = 3e10,
                                        .stream_slice = 0.7,
                                        .first_in_cluster = 0.988e-6,
                                        .each_in_cluster = 0.0622e-6};
inline constexpr device_rates tensor_rates{.bandwidth = 4.36e12,
                                           .l2_bandwidth = 4.01e12,
                                           .stream_bandwidth = 6e12,
                                           .cluster_bandwidth = 1.43e10,
                                           .launch = 1.22e-6,
                                           .second_launch = 3.99e-6,
                                           .late_launch = 1.06e-6,
                                           .slice_round = 0,
                                           .second_launch_of_fragments = 1.1e-6,
                                           .fragment_bandwidth = 3.5e12,
                                           .fragment_slice = 0.06e-6,
                                           .stream_addition = 3.64e-6,
                                           .slice_bandwidth = 4e10,
                                           .stream_slice = 1.4,
                                           .first_in_cluster = 0.32e-6,
                                           .each_in_cluster = 0.0272e-6};

}  // namespace gemm::detail
