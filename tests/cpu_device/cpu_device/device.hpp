// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a running thread of a kernel asks of the device; the bodies in gemm/arch/ and the intrinsics are built on it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "call_site.hpp"

namespace cpu_device {

/// Prints the message, with the block and thread if a kernel is running, and aborts.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(char const* format, ...);

/// Lists on stderr where the running block's threads wait. For use from a debugger: `call cpu_device::print_block()`.
void print_block();

/// Waits for all threads of the block.
void block_barrier(call_site where);

/// The calling thread's place in its warp, 0 to 31.
unsigned lane_index();

/// Carries out one warp instruction for all lanes at once. `lanes[i]` is what lane i passed as operands; it is null
/// for lanes that take no part, `present` has the bits of those that do.
using combine_function = void (*)(void* const* lanes, unsigned present);

/// A warp-collective instruction: waits until all lanes in `mask` are at it. The last of them runs `combine` (if not
/// null) on everybody's operands, and all go on. The operands live on the lanes' stacks and take the results too.
///
/// All lanes must name the same instruction, mask and place. `mask` may name lanes beyond the end of the block.
void warp_collective(char const* instruction, unsigned mask, void* operands, combine_function combine, call_site where);

/// The block's dynamic shared memory; fails if the launch asked for less than `bytes`.
void* dynamic_shared_memory(std::size_t bytes);

/// Copies the first valid_bytes and zeroes the rest of what one asynchronous copy writes. It is compiled in the
/// kernel's translation unit, so that the sanitizers watch the copy: the runtime is never sanitized.
using copy_function = void (*)(void* shared, void const* global, int valid_bytes);

/// Starts an asynchronous copy of `bytes` bytes by the calling thread; `perform` runs now or as late as allowed.
void issue_copy(void* shared, void const* global, int bytes, int valid_bytes, copy_function perform);

/// Ends options::kernel_before, if it has not ended in this launch.
void wait_for_kernel_before();

/// Records that the L2 is asked for so many bytes; those of a line.
void record_prefetch(std::int64_t bytes);
inline constexpr int prefetched_line = 128;

/// Makes the calling thread's copies since the last commit a group.
void commit_copies();

/// Waits until at most `pending_groups` of the calling thread's groups are unfinished.
void wait_copies(unsigned pending_groups);

}  // namespace cpu_device
