// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ranks of a communicator of NCCL as `peers`: memory of each that the others reach, if they can.
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gemm/distributed/nccl_window.cuh>
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

}  // namespace detail

/// What the memory of ranks is: windows of NCCL, of which its collectives take fewer multiprocessors, or memory that is
/// exchanged by cudaIpc.
enum class peer_allocation : unsigned char { automatic, windows, ipc };

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
  /// collective call: it waits for all ranks. Ranks of one host whose devices access one another reach() each other;
  /// others exchange by collectives. Without memory in one rank all are refused. `automatic` is windows where NCCL is
  /// 2.28 or later and all ranks reach each other so, else cudaIpc.
  status open(ncclComm_t communicator, std::size_t bytes, peer_allocation wanted = peer_allocation::automatic) {
    close();
    all_ = {};
    communicator_ = communicator;
    status result = detail::status_of_nccl("ncclCommCount", ncclCommCount(communicator, &all_.ranks));
    result = result ? detail::status_of_nccl("ncclCommUserRank", ncclCommUserRank(communicator, &all_.rank)) : result;
    if (result && all_.ranks > most_peers) {
      return {status_code::invalid_argument, cudaSuccess, "the communicator has %d ranks, needs 1 to %d", all_.ranks,
              most_peers};
    }
    if (!result) {
      return result;
    }
    all_.bytes = bytes;
    if (wanted != peer_allocation::ipc) {
      result = open_window(bytes);
      if (result && reached_) {
        return result;
      }
      window_.close();
      if (!result || wanted == peer_allocation::windows) {
        return result ? status{status_code::unsupported_device, cudaSuccess,
                               "ranks do not reach each other by windows of NCCL"}
                      : result;
      }
    }
    return open_ipc(bytes);
  }

  /// Whether all ranks reach each other's memory.
  bool reach() const { return reached_; }
  /// Whether the memory is a window of NCCL.
  bool has_window() const { return window_.is_open(); }

  /// The ranks as the calls of <gemm/distributed.hpp> know them, where they reach each other.
  gemm::peers const& get() const { return all_; }
  /// NCCL's, which open() was given.
  ncclComm_t communicator() const { return communicator_; }

 private:
  static constexpr std::size_t signals_bytes = (sizeof(peer_signals) + 4095) / 4096 * 4096;

  /// Signals come first in each rank's memory.
  void place(int rank, void* memory) {
    all_.flags[rank] = static_cast<peer_signals*>(memory);
    all_.pointers[rank] = static_cast<unsigned char*>(memory) + signals_bytes;
  }

  /// Whether something holds in all ranks.
  status agree(bool& holds) {
    int const mine = holds ? 1 : 0;
    std::vector<int> of_rank(static_cast<std::size_t>(all_.ranks));
    status const result = gather(communicator_, mine, of_rank);
    for (int const other : of_rank) {
      holds = holds && other == 1;
    }
    return result;
  }

  /// A rank that has no memory must not leave the others waiting.
  status open_window(std::size_t bytes) {
    void* memory[most_peers] = {};
    bool good = window_.allocate(communicator_, all_.ranks, signals_bytes + bytes);
    status result = agree(good);
    if (result && good) {
      good = window_.enroll() && window_.addresses(all_.ranks, memory);
      result = agree(good);
    }
    for (int rank = 0; rank < all_.ranks && result && good; ++rank) {
      place(rank, memory[rank]);
    }
    reached_ = result && good;
    return result;
  }

  status open_ipc(std::size_t bytes) {
    detail::peer_address mine{};
    std::vector<detail::peer_address> addresses(static_cast<std::size_t>(all_.ranks));
    status const allocated = allocate(bytes, mine);
    status result = gather(communicator_, mine, addresses);
    result = result ? allocated : result;
    reached_ = true;
    for (int rank = 0; rank < all_.ranks && result; ++rank) {
      detail::peer_address const& other = addresses[static_cast<std::size_t>(rank)];
      if (!other.exists) {
        result = {status_code::cuda_failure, cudaErrorMemoryAllocation, "rank %d has no %zu bytes of memory", rank,
                  bytes};
      }
      reached_ = result && reached_ && reaches(rank, mine, other);
    }
    status const agreed = agree(reached_);  // of one mind, whoever does not reach whom
    place(all_.rank, memory_);
    return result ? agreed : result;
  }

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
  bool reaches(int rank, detail::peer_address const& mine, detail::peer_address const& other) {
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
      static_cast<void>(cudaGetLastError());  // reach() says it
    }
    place(rank, memory);
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
    reached_ = false;
    window_.close();
  }

  gemm::peers all_;
  ncclComm_t communicator_ = nullptr;
  bool reached_ = false;
  detail::nccl_window window_;
  void* memory_ = nullptr;
  void* opened_[most_peers] = {};  // of other processes
};

}  // namespace gemm
