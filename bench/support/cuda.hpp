// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the benchmarks need of CUDA besides the library: errors, memory, launches.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bench {

/// Something went wrong with one benchmark; the others go on.
struct failure : std::runtime_error {
  using runtime_error::runtime_error;
};

/// How the messages of benchmarks begin that are left out rather than failed, so that reports can tell.
inline constexpr char left_out[] = "left out: ";

/// A contender that cannot do this problem, or not on this device; no failure of it.
struct unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

inline void require(cudaError_t error, std::string const& what) {
  if (error != cudaSuccess) {
    throw failure(what + ": " + cudaGetErrorString(error));
  }
}

/// Of the current device. Throws where there is none.
inline std::string current_pci_bus_id() {
  char text[32] = "";
  int device = 0;
  require(cudaGetDevice(&device), "there is no CUDA device to measure");
  require(cudaDeviceGetPCIBusId(text, sizeof(text), device), "cudaDeviceGetPCIBusId");
  return text;
}

template <auto Destroy>
struct destroyer {
  template <class T>
  void operator()(T* object) const {
    static_cast<void>(Destroy(object));
  }
};

/// A handle of CUDA's or cuBLAS's, such as cudaStream_t, that is destroyed with the object.
template <class Handle, auto Destroy>
using owned = std::unique_ptr<std::remove_pointer_t<Handle>, destroyer<Destroy>>;

using stream = owned<cudaStream_t, cudaStreamDestroy>;
using event = owned<cudaEvent_t, cudaEventDestroy>;

inline stream make_stream() {
  cudaStream_t result = nullptr;
  require(cudaStreamCreate(&result), "cudaStreamCreate");
  return stream(result);
}

inline event make_event() {
  cudaEvent_t result = nullptr;
  require(cudaEventCreate(&result), "cudaEventCreate");
  return event(result);
}

/// Device memory, freed with the object.
class device_memory {
 public:
  explicit device_memory(std::size_t bytes) {
    cudaError_t const error = cudaMalloc(&data_, bytes);
    if (error != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // reported here: must not surface in a later check
      require(error, std::to_string(bytes >> 20) + " MiB of device memory");
    }
  }
  device_memory(device_memory const&) = delete;
  device_memory& operator=(device_memory const&) = delete;
  ~device_memory() { static_cast<void>(cudaFree(data_)); }

  void* data() const { return data_; }

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

/// Enqueues a kernel of a one-dimensional grid.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), int blocks, int threads, cudaStream_t stream,
            std::type_identity_t<Parameters>... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = stream;
  require(cudaLaunchKernelEx(&config, kernel, arguments...), "launch of a kernel of the benchmarks");
}

}  // namespace bench
