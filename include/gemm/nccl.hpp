// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ranks of a communicator of NCCL as `peers`: memory of each that the others reach. The one header that includes
//! <nccl.h>; link libnccl.
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <gemm/peers.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// What a rank tells the others of its memory.
struct peer_address {
  char host[64];
  std::int64_t process;
  int device;
  void* memory;
  cudaIpcMemHandle_t handle;
  bool exists;
};

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

}  // namespace detail

/// Memory of a rank, with its signals, that all ranks of a communicator reach; each rank has an object of its own.
///
/// The ranks are threads of one process, each with a device (ncclCommInitAll), or processes, or both, on one host whose
/// devices access each other. What is opened is closed, and what was allocated freed, when the object dies: after the
/// last call of all ranks.
class nccl_peers {
 public:
  nccl_peers() = default;
  nccl_peers(nccl_peers const&) = delete;
  nccl_peers& operator=(nccl_peers const&) = delete;
  ~nccl_peers() { close(); }

  /// Allocates `bytes` on the communicator's device, which must be the current one, and exchanges addresses. A
  /// collective call: it waits for all ranks, and all get the same answer. Where a rank cannot reach another, or has no
  /// memory, the status says which.
  status open(ncclComm_t communicator, std::size_t bytes) {
    close();
    all_ = {};
    status result = detail::status_of_nccl("ncclCommCount", ncclCommCount(communicator, &all_.ranks));
    result = result ? detail::status_of_nccl("ncclCommUserRank", ncclCommUserRank(communicator, &all_.rank)) : result;
    if (result && all_.ranks > most_peers) {
      return {status_code::invalid_argument, cudaSuccess, "the communicator has %d ranks, needs 1 to %d", all_.ranks,
              most_peers};
    }
    if (!result) {
      return result;
    }
    detail::peer_address mine{};
    std::vector<detail::peer_address> addresses(static_cast<std::size_t>(all_.ranks));
    status const allocated = allocate(bytes, mine);
    result = exchange(communicator, mine, addresses);
    result = result ? allocated : result;
    std::vector<int> failed(static_cast<std::size_t>(all_.ranks), -1);
    int mine_failed = result ? -1 : all_.rank;
    for (int rank = 0; rank < all_.ranks && result; ++rank) {
      result = reach(rank, mine, addresses[static_cast<std::size_t>(rank)]);
      mine_failed = result ? -1 : rank;
    }
    status const agreed = exchange(communicator, mine_failed, failed);
    result = result ? agreed : result;
    for (int rank = 0; rank < all_.ranks && result; ++rank) {
      if (int const other = failed[static_cast<std::size_t>(rank)]; other >= 0) {
        result = {status_code::unsupported_device, cudaSuccess, "rank %d does not reach the memory of rank %d", rank,
                  other};
      }
    }
    all_.bytes = bytes;
    return result;
  }

  /// For the calls of <gemm/distributed.hpp>, once open() has succeeded.
  gemm::peers const& get() const { return all_; }

 private:
  static constexpr std::size_t signals_bytes = (sizeof(peer_signals) + 1023) / 1024 * 1024;

  status allocate(std::size_t bytes, detail::peer_address& mine) {
    static_cast<void>(gethostname(mine.host, sizeof(mine.host) - 1));
    mine.process = getpid();
    status result = detail::status_of_cuda("cudaGetDevice", cudaGetDevice(&mine.device));
    result = result ? detail::status_of_cuda("the ranks' memory", cudaMalloc(&memory_, signals_bytes + bytes)) : result;
    result = result ? detail::status_of_cuda("the ranks' signals", cudaMemset(memory_, 0, signals_bytes)) : result;
    result =
        result ? detail::status_of_cuda("cudaIpcGetMemHandle", cudaIpcGetMemHandle(&mine.handle, memory_)) : result;
    mine.memory = memory_;
    mine.exists = static_cast<bool>(result);
    return result;
  }

  /// Gives each rank one element of all.
  template <class T>
  status exchange(ncclComm_t communicator, T const& mine, std::vector<T>& all) {
    auto const ranks = static_cast<std::size_t>(all_.ranks), own = static_cast<std::size_t>(all_.rank);
    T* elements = nullptr;
    cudaStream_t stream = nullptr;
    status result = detail::status_of_cuda("cudaMalloc", cudaMalloc(&elements, ranks * sizeof(T)));
    result = result
                 ? detail::status_of_cuda("cudaStreamCreate", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking))
                 : result;
    result = result ? detail::status_of_cuda("cudaMemcpyAsync", cudaMemcpyAsync(elements + own, &mine, sizeof(T),
                                                                                cudaMemcpyHostToDevice, stream))
                    : result;
    result = result ? detail::status_of_nccl("ncclAllGather", ncclAllGather(elements + own, elements, sizeof(T),
                                                                            ncclUint8, communicator, stream))
                    : result;
    result = result ? detail::status_of_cuda("cudaMemcpyAsync", cudaMemcpyAsync(all.data(), elements, ranks * sizeof(T),
                                                                                cudaMemcpyDeviceToHost, stream))
                    : result;
    result = result ? detail::status_of_cuda("cudaStreamSynchronize", cudaStreamSynchronize(stream)) : result;
    if (stream != nullptr) {
      static_cast<void>(cudaStreamDestroy(stream));
    }
    static_cast<void>(cudaFree(elements));
    return result;
  }

  /// Makes a rank's memory accessible to this one's device.
  status reach(int rank, detail::peer_address const& mine, detail::peer_address const& other) {
    void* memory = other.memory;
    auto const index = static_cast<std::size_t>(rank);
    if (!other.exists || std::strncmp(mine.host, other.host, sizeof(mine.host)) != 0) {
      return {status_code::unsupported_device, cudaSuccess, "rank %d does not reach the memory of rank %d", all_.rank,
              rank};
    }
    if (mine.process == other.process) {
      if (mine.device != other.device) {
        cudaError_t const error = cudaDeviceEnablePeerAccess(other.device, 0);
        static_cast<void>(error == cudaErrorPeerAccessAlreadyEnabled ? cudaGetLastError() : cudaSuccess);
        if (error != cudaErrorPeerAccessAlreadyEnabled && error != cudaSuccess) {
          return detail::status_of_cuda("cudaDeviceEnablePeerAccess", error);
        }
      }
    } else {
      status const result = detail::status_of_cuda(
          "cudaIpcOpenMemHandle", cudaIpcOpenMemHandle(&memory, other.handle, cudaIpcMemLazyEnablePeerAccess));
      if (!result) {
        return result;
      }
      opened_[index] = memory;
    }
    all_.flags[index] = static_cast<peer_signals*>(memory);
    all_.pointers[index] = static_cast<unsigned char*>(memory) + signals_bytes;
    return {};
  }

  void close() {
    for (void*& memory : opened_) {
      if (memory != nullptr) {
        static_cast<void>(cudaIpcCloseMemHandle(memory));
      }
      memory = nullptr;
    }
    static_cast<void>(cudaFree(memory_));
    memory_ = nullptr;
  }

  gemm::peers all_;
  void* memory_ = nullptr;
  void* opened_[most_peers] = {};  // of other processes
};

}  // namespace gemm
