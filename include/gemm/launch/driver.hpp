// SPDX-License-Identifier: BSL-1.0
//! @file
//! Functions of the driver, fetched at run time so that nobody needs to link libcuda.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

namespace gemm::detail {

/// cudaGetDriverEntryPointByVersion(), which CUDA 12.4 lacks: there the function is that of the runtime's own version.
inline cudaError_t find_driver_function(char const* name, void** function, [[maybe_unused]] unsigned introduced,
                                        cudaDriverEntryPointQueryResult* found) {
#if CUDART_VERSION >= 12050
  return cudaGetDriverEntryPointByVersion(name, function, introduced, cudaEnableDefault, found);
#else
  return cudaGetDriverEntryPoint(name, function, cudaEnableDefault, found);
#endif
}

/// The function as it is since the version of CUDA `introduced`, 1000 times the major one; null where there is none.
template <class Function>
Function* driver_function(char const* name, unsigned introduced) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  if (find_driver_function(name, &function, introduced, &found) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check
  }
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function*>(function) : nullptr;
}

/// What tells the context of a stream and makes it the thread's. The runtime's cudaStreamGetDevice() would end a
/// capture.
struct context_functions {
  CUresult (*of_stream)(CUstream, CUcontext*);
  CUresult (*current)(CUcontext*);
  CUresult (*push)(CUcontext);
  CUresult (*pop)(CUcontext*);

  bool are_there() const { return of_stream != nullptr && current != nullptr && push != nullptr && pop != nullptr; }

  static context_functions const& get() {
    static context_functions const found{driver_function<CUresult(CUstream, CUcontext*)>("cuStreamGetCtx", 9020),
                                         driver_function<CUresult(CUcontext*)>("cuCtxGetCurrent", 4000),
                                         driver_function<CUresult(CUcontext)>("cuCtxPushCurrent", 4000),
                                         driver_function<CUresult(CUcontext*)>("cuCtxPopCurrent", 4000)};
    return found;
  }
};

}  // namespace gemm::detail
