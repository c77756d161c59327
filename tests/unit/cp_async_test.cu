// SPDX-License-Identifier: BSL-1.0
//! @file
//! cp.async: what a copy writes where all, a part or nothing of it is read, and where it is not made at all.

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <vector>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

namespace arch = gemm::arch;

constexpr int threads = 32, widest = 16;
constexpr unsigned char untouched = 0x55;

struct copies_storage {
  alignas(widest) unsigned char piece[threads][widest];
};

struct copies {
  unsigned char const* from;  // pieces of 16 bytes
  unsigned char* to;
  int outers, depth;  // of cp_async_below()
};

__device__ void spoil(copies_storage& shared) {
  for (unsigned char& byte : shared.piece[threadIdx.x]) {
    byte = untouched;
  }
  __syncthreads();
}

__device__ void tell(copies_storage const& shared, unsigned char* to) {
  __syncthreads();
  for (int i = 0; i < widest; ++i) {
    to[threadIdx.x * widest + i] = shared.piece[threadIdx.x][i];
  }
}

/// Every thread its own piece, of which it reads its number of bytes, or all of them by a copy that knows no number.
template <int Bytes>
__global__ void __launch_bounds__(threads) copy_parts(copies const __grid_constant__ what) {
  auto& shared = arch::dynamic_shared_memory<copies_storage>();
  spoil(shared);
  int const thread = static_cast<int>(threadIdx.x);
  unsigned char const* const from = what.from + thread * widest;
  if (thread <= Bytes) {
    arch::cp_async_zfill<Bytes>(shared.piece[thread], from, thread);
  } else {
    arch::cp_async<Bytes>(shared.piece[thread], from);
  }
  arch::cp_async_commit_group();
  arch::cp_async_wait_group<0>();
  tell(shared, what.to);
}

/// Thread 4 i + j copies for an outer of i and a k of j; without an address where the outer is too large.
template <int Bytes>
__global__ void __launch_bounds__(threads) copy_below(copies const __grid_constant__ what) {
  auto& shared = arch::dynamic_shared_memory<copies_storage>();
  spoil(shared);
  int const thread = static_cast<int>(threadIdx.x), outer = thread / 4, k = thread % 4;
  arch::cp_async_below<Bytes>(outer, what.outers, k, what.depth, shared.piece[thread],
                              outer < what.outers ? what.from + thread * widest : nullptr);
  arch::cp_async_commit_group();
  arch::cp_async_wait_group<0>();
  tell(shared, what.to);
}

/// The older of two groups may be read while the younger may not have landed.
__global__ void __launch_bounds__(threads) copy_groups(copies const __grid_constant__ what) {
  auto& shared = arch::dynamic_shared_memory<copies_storage>();
  spoil(shared);
  unsigned char* const own = shared.piece[threadIdx.x];
  unsigned char const* const from = what.from + threadIdx.x * widest;
  for (int i = 0; i < widest; i += 8) {
    arch::cp_async<8>(own + i, from + i);
    arch::cp_async_commit_group();
  }
  arch::cp_async_wait_group<1>();
  for (int i = 0; i < 8; ++i) {
    what.to[threadIdx.x * widest + i] = own[i];
  }
  arch::cp_async_wait_group<0>();
  for (int i = 8; i < widest; ++i) {
    what.to[threadIdx.x * widest + i] = own[i];
  }
}

/// Every thread reads its neighbour's piece, once all copies have arrived.
struct arrivals_storage {
  copies_storage copied;
  arch::mbarrier full;
};
__global__ void __launch_bounds__(threads) copy_and_arrive(copies const __grid_constant__ what) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  auto& shared = arch::dynamic_shared_memory<arrivals_storage>();
  int const thread = static_cast<int>(threadIdx.x), neighbour = (thread + 1) % threads;
  if (thread == 0) {
    arch::mbarrier_init(shared.full, threads);
    arch::fence_mbarrier_init();
  }
  __syncthreads();
  for (int i = 0; i < widest; i += 4) {
    arch::cp_async<4>(shared.copied.piece[thread] + i, what.from + thread * widest + i);
  }
  arch::cp_async_arrive(shared.full);
  arch::mbarrier_wait_parity(shared.full, 0);
  for (int i = 0; i < widest; ++i) {
    what.to[neighbour * widest + i] = shared.copied.piece[neighbour][i];
  }
#endif
}

std::vector<unsigned char> numbered() {
  std::vector<unsigned char> bytes;
  for (int i = 0; i < threads * widest; ++i) {
    bytes.push_back(static_cast<unsigned char>(i % 251 + 1));  // no zeros
  }
  return bytes;
}

template <class Kernel>
std::vector<unsigned char> copied(Kernel kernel, std::vector<unsigned char> const& bytes, int outers, int depth) {
  test::device_array<unsigned char> const from(bytes), to(bytes.size());
  test::require_success(gemm::detail::launch(kernel, dim3(1), threads, sizeof(arrivals_storage), nullptr,
                                             copies{from.data(), to.data(), outers, depth}),
                        "cp.async");
  return to.download();
}

/// What is there of a piece, of whose `bytes` so many were read.
std::vector<unsigned char> piece_of(std::vector<unsigned char> const& from, int piece, int bytes, int read) {
  std::vector<unsigned char> result(widest, untouched);
  std::memset(result.data(), 0, static_cast<std::size_t>(bytes));
  std::memcpy(result.data(), from.data() + piece * widest, static_cast<std::size_t>(read));
  return result;
}

template <int Bytes>
void check_parts() {
  std::vector<unsigned char> const from = numbered(), got = copied(copy_parts<Bytes>, from, 0, 0);
  for (int i = 0; i < threads; ++i) {
    INFO("bytes: " << Bytes << ", piece: " << i);
    CHECK(std::vector<unsigned char>(got.begin() + i * widest, got.begin() + (i + 1) * widest) ==
          piece_of(from, i, Bytes, i <= Bytes ? i : Bytes));
  }
}

template <int Bytes>
void check_below(int outers, int depth) {
  std::vector<unsigned char> const from = numbered(), got = copied(copy_below<Bytes>, from, outers, depth);
  for (int i = 0; i < threads; ++i) {
    INFO("bytes: " << Bytes << ", outer: " << i / 4 << " of " << outers << ", k: " << i % 4 << " of " << depth);
    bool const copies = i / 4 < outers, reads = i % 4 < depth;
    CHECK(std::vector<unsigned char>(got.begin() + i * widest, got.begin() + (i + 1) * widest) ==
          piece_of(from, i, copies ? Bytes : 0, copies && reads ? Bytes : 0));
  }
}

}  // namespace

TEST_CASE("cp.async copies as many bytes as are valid, and zeros for the others", "[sanitizer]") {
  check_parts<4>();
  check_parts<8>();
  check_parts<16>();
}

TEST_CASE("cp_async_below copies inside, fills with zeros beyond the depth, and does nothing beyond the lines",
          "[sanitizer]") {
  for (int const outers : {-1, 0, 3, 8}) {
    for (int const depth : {-1, 0, 2, 4}) {
      check_below<4>(outers, depth);
      check_below<8>(outers, depth);
    }
  }
}

TEST_CASE("what cp.async has copied is read group by group", "[sanitizer]") {
  std::vector<unsigned char> const from = numbered();
  CHECK(copied(copy_groups, from, 0, 0) == from);
}

TEST_CASE("a barrier's phase ends when cp.async's copies have landed", "[sanitizer]") {
  test::need_sm90a();
  std::vector<unsigned char> const from = numbered();
  CHECK(copied(copy_and_arrive, from, 0, 0) == from);
}
