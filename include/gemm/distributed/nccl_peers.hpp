// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ranks of a communicator of NCCL as `peers`: memory of each that the others reach, if they can.
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

/// How ranks exchange what a product needs or makes.
enum class exchange : unsigned char {
  peer_memory,  ///< copies and stores in each other's memory, beside one launch
  collectives,  ///< NCCL's, shard by shard, each beside the product of the one before
};

/// Memory of a rank, with its signals, that all ranks of a communicator reach; each rank has an object of its own.
///
/// The ranks are threads of one process, each with a device (ncclCommInitAll), or processes, or both. What is opened is
/// closed, and what was allocated freed, when the object dies: after the last call of all ranks, and before the
/// communicator.
class nccl_peers {
 public:
  nccl_peers() = default;
  nccl_peers(nccl_peers const&) = delete;
  nccl_peers& operator=(nccl_peers const&) = delete;
  ~nccl_peers() { close(); }

  /// Allocates `bytes` on the communicator's device, which must be the current one, and exchanges addresses. A
  /// collective call: it waits for all ranks. chosen() is then peer_memory if all reach each other, which they do on
  /// one host whose devices access one another, else collectives. Without memory in one rank all are refused.
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
    result = gather(communicator, mine, addresses);
    result = result ? allocated : result;
    reached_ = true;
    for (int rank = 0; rank < all_.ranks && result; ++rank) {
      detail::peer_address const& other = addresses[static_cast<std::size_t>(rank)];
      if (!other.exists) {
        result = {status_code::cuda_failure, cudaErrorMemoryAllocation, "rank %d has no %zu bytes of memory", rank,
                  bytes};
      }
      reached_ = result && reached_ && reach(rank, mine, other);
    }
    // Of one mind, whoever does not reach whom.
    int const mine_reached = reached_ ? 1 : 0;
    std::vector<int> of_rank(static_cast<std::size_t>(all_.ranks));
    status const agreed = gather(communicator, mine_reached, of_rank);
    for (int const reached : of_rank) {
      reached_ = reached_ && reached == 1;
    }
    all_.flags[all_.rank] = static_cast<peer_signals*>(memory_);
    all_.pointers[all_.rank] = static_cast<unsigned char*>(memory_) + signals_bytes;
    all_.bytes = bytes;
    communicator_ = communicator;
    chosen_ = reached_ ? exchange::peer_memory : exchange::collectives;
    return result ? agreed : result;
  }

  /// How calls with this object exchange.
  exchange chosen() const { return chosen_; }
  /// Has them do it so, in all ranks alike; peer_memory is refused where not all reach each other.
  status choose(exchange wanted) {
    if (wanted == exchange::peer_memory && !reached_) {
      return {status_code::unsupported_device, cudaSuccess,
              "exchange is peer_memory, needs ranks that reach each other"};
    }
    chosen_ = wanted;
    return {};
  }

  /// The ranks as the calls of <gemm/distributed.hpp> know them, where they reach each other.
  gemm::peers const& get() const { return all_; }
  /// NCCL's, which open() was given.
  ncclComm_t communicator() const { return communicator_; }

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
  status gather(ncclComm_t communicator, T const& mine, std::vector<T>& all) {
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

  /// Makes a rank's memory accessible to this one's device, if it can.
  bool reach(int rank, detail::peer_address const& mine, detail::peer_address const& other) {
    void* memory = other.memory;
    auto const index = static_cast<std::size_t>(rank);
    cudaError_t error = cudaSuccess;
    if (std::strncmp(mine.host, other.host, sizeof(mine.host)) != 0) {
      return false;
    }
    if (mine.process != other.process) {
      error = cudaIpcOpenMemHandle(&memory, other.handle, cudaIpcMemLazyEnablePeerAccess);
      opened_[index] = error == cudaSuccess ? memory : nullptr;
    } else if (mine.device != other.device) {
      error = cudaDeviceEnablePeerAccess(other.device, 0);
    }
    if (error != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // chosen() says it
    }
    all_.flags[index] = static_cast<peer_signals*>(memory);
    all_.pointers[index] = static_cast<unsigned char*>(memory) + signals_bytes;
    return error == cudaSuccess || error == cudaErrorPeerAccessAlreadyEnabled;
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
  ncclComm_t communicator_ = nullptr;
  exchange chosen_ = exchange::collectives;
  bool reached_ = false;
  void* memory_ = nullptr;
  void* opened_[most_peers] = {};  // of other processes
};

}  // namespace gemm
