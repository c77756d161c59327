// SPDX-License-Identifier: BSL-1.0
//! @file
//! What there is of the driver: tensor maps, words that streams write, and a context for each device, of which one is
//! the thread's.

#include "driver.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include "cpu_device/language.hpp"
#include "cpu_device/options.hpp"
#include "error.hpp"
#include "stream.hpp"

namespace cpu_device {
namespace {

// A context is known by its device's number, and never null.
CUcontext context_of(int device) { return reinterpret_cast<CUcontext>(std::intptr_t{device} + 1); }
int number_of(CUcontext context) { return int(reinterpret_cast<std::intptr_t>(context) - 1); }

thread_local std::vector<int> devices_below;  // those that were the current ones before contexts were pushed

CUresult context_of_stream(CUstream stream, CUcontext* context) {
  *context = context_of(device_of(stream));
  return CUDA_SUCCESS;
}

CUresult current_context(CUcontext* context) {
  *context = context_of(current_options().device.number);
  return CUDA_SUCCESS;
}

CUresult push_context(CUcontext context) {
  int const before = current_options().device.number;
  if (cudaSetDevice(number_of(context)) != cudaSuccess) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  devices_below.push_back(before);
  return CUDA_SUCCESS;
}

CUresult pop_context(CUcontext* context) {
  if (devices_below.empty()) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  current_context(context);
  cudaSetDevice(devices_below.back());
  devices_below.pop_back();
  return CUDA_SUCCESS;
}

CUresult write_value(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned) {
  auto* const to = reinterpret_cast<std::uint32_t*>(address);
  cudaError_t const error = enqueue(stream, [=] { __atomic_store_n(to, value, __ATOMIC_RELEASE); });
  return error == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

struct entry_point {
  char const* name;
  unsigned introduced;
  void* function;
};

}  // namespace
}  // namespace cpu_device

cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** function, unsigned int version,
                                             unsigned long long, cudaDriverEntryPointQueryResult* found) {
  if (symbol == nullptr || function == nullptr) {
    return cpu_device::remember(cudaErrorInvalidValue);
  }
  cpu_device::entry_point const all[] = {
      {"cuTensorMapEncodeTiled", 12000, reinterpret_cast<void*>(&cpu_device::encode)},
      {"cuStreamWriteValue32", 11070, reinterpret_cast<void*>(&cpu_device::write_value)},
      {"cuStreamGetCtx", 9020, reinterpret_cast<void*>(&cpu_device::context_of_stream)},
      {"cuCtxGetCurrent", 4000, reinterpret_cast<void*>(&cpu_device::current_context)},
      {"cuCtxPushCurrent", 4000, reinterpret_cast<void*>(&cpu_device::push_context)},
      {"cuCtxPopCurrent", 4000, reinterpret_cast<void*>(&cpu_device::pop_context)}};
  *function = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  for (cpu_device::entry_point const& entry : all) {
    if (std::strcmp(symbol, entry.name) == 0) {
      bool const available = version >= entry.introduced;
      *function = available ? entry.function : nullptr;
      result = available ? cudaDriverEntryPointSuccess : cudaDriverEntryPointVersionNotSufficent;
    }
  }
  if (found != nullptr) {
    *found = result;
  }
  return cpu_device::remember(cudaSuccess);
}
