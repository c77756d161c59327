// SPDX-License-Identifier: BSL-1.0
//! @file
//! Memory of a rank that is a window of NCCL, which maps it for the other ranks of its host.
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>

#include <gemm/peers.hpp>
#include <gemm/status.hpp>

#if defined(NCCL_VERSION_CODE) && NCCL_VERSION_CODE >= 22800 && __has_include(<nccl_device.h>) && defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <nccl_device.h>
#pragma GCC diagnostic pop
#define GEMM_HAS_NCCL_WINDOWS 1
#endif

namespace gemm::detail {

inline status status_of_nccl(char const* what, ncclResult_t result) {
  return result == ncclSuccess
             ? status{}
             : status{status_code::cuda_failure, cudaErrorUnknown, "%s: %s", what, ncclGetErrorString(result)};
}
inline status status_of_cuda(char const* what, cudaError_t error) {
  if (error == cudaSuccess) {
    return {};
  }
  static_cast<void>(cudaGetLastError());  // reported here
  return {status_code::cuda_failure, error, "%s: %s", what, cudaGetErrorString(error)};
}

#if defined(GEMM_HAS_NCCL_WINDOWS)

/// A thread for each rank of the host, which NCCL counts like those of the communicator where all are of one host.
static __global__ void __launch_bounds__(most_peers) find_windows_kernel(ncclWindow_t window, int ranks, void** found) {
  int const rank = static_cast<int>(threadIdx.x);
  if (rank < ranks) {
    found[rank] = ncclGetLsaPointer(window, 0, rank);
  }
}

/// Of one rank.
class nccl_window {
 public:
  /// Allocates zeroed memory; false where NCCL cannot, or has not all ranks on one host. Not collective.
  bool allocate(ncclComm_t communicator, int ranks, std::size_t bytes) {
    int version = 0;
    communicator_ = communicator;
    bytes_ = bytes;
    bool const good = ncclGetVersion(&version) == ncclSuccess && version >= 22800 &&
                      ncclTeamLsa(communicator).nRanks == ranks && ncclMemAlloc(&memory_, bytes) == ncclSuccess &&
                      cudaMemset(memory_, 0, bytes) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
    static_cast<void>(cudaGetLastError());  // the caller goes on without windows
    return good;
  }
  /// Registers it: a collective call.
  bool enroll() {
    return ncclCommWindowRegister(communicator_, memory_, bytes_, &window_, NCCL_WIN_COLL_SYMMETRIC) == ncclSuccess &&
           window_ != nullptr;
  }
  bool is_open() const { return window_ != nullptr; }
  void close() {
    if (window_ != nullptr) {
      static_cast<void>(ncclCommWindowDeregister(communicator_, window_));
    }
    if (memory_ != nullptr) {
      static_cast<void>(ncclMemFree(memory_));
    }
    window_ = nullptr;
    memory_ = nullptr;
  }

  /// Each rank's memory, as this one's device addresses it; false where that cannot be found out.
  bool addresses(int ranks, void* (&found)[most_peers]) const {
    void** on_device = nullptr;
    bool good = cudaMalloc(&on_device, sizeof(found)) == cudaSuccess;
    if (good) {
      find_windows_kernel<<<1, most_peers>>>(window_, ranks, on_device);
      good = cudaMemcpy(found, on_device, static_cast<std::size_t>(ranks) * sizeof(void*), cudaMemcpyDeviceToHost) ==
             cudaSuccess;
    }
    static_cast<void>(cudaFree(on_device));
    static_cast<void>(cudaGetLastError());  // the caller goes on without windows
    for (int rank = 0; rank < ranks && good; ++rank) {
      good = found[rank] != nullptr;
    }
    return good;
  }

 private:
  ncclComm_t communicator_ = nullptr;
  ncclWindow_t window_ = nullptr;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

#else

/// NCCL has none.
class nccl_window {
 public:
  bool allocate(ncclComm_t, int, std::size_t) { return false; }
  bool enroll() { return false; }
  bool is_open() const { return false; }
  void close() {}
  bool addresses(int, void* (&)[most_peers]) const { return false; }
};

#endif

}  // namespace gemm::detail
