// SPDX-License-Identifier: BSL-1.0
//! @file
//! Launching a kernel on the CPU device: cudaLaunchKernelEx, in its typed form only.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "language.hpp"

namespace cpu_device {

/// A kernel with its arguments, which every thread calls once.
class kernel_call {
 public:
  virtual ~kernel_call() = default;
  virtual void run() const = 0;
  /// A copy on the heap, for a stream that is being captured.
  virtual kernel_call* clone() const = 0;
};

template <class... Parameters>
class typed_call final : public kernel_call {
 public:
  template <class... Arguments>
  explicit typed_call(void (*kernel)(Parameters...), Arguments&&... arguments)
      : kernel_(kernel), parameters_(std::forward<Arguments>(arguments)...) {}

  void run() const override { run_with(std::index_sequence_for<Parameters...>{}); }
  kernel_call* clone() const override { return new typed_call(*this); }

 private:
  // Not std::apply, which would add five frames to every backtrace.
  template <std::size_t... Index>
  void run_with(std::index_sequence<Index...>) const {
    kernel_(std::get<Index>(parameters_)...);
  }

  void (*kernel_)(Parameters...);
  std::tuple<Parameters...> parameters_;
};

/// Runs the grid before it returns, or records it where config.stream is being captured. `kernel` identifies the
/// kernel for the attributes set on it.
cudaError_t launch(cudaLaunchConfig_t const& config, void const* kernel, kernel_call const& call);

}  // namespace cpu_device

/// The untyped cudaLaunchKernelExC cannot be had: without the signature there is no calling the kernel.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(cudaLaunchConfig_t const* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  cpu_device::typed_call<Parameters...> const call(kernel, std::forward<Arguments>(arguments)...);
  return cpu_device::launch(*config, reinterpret_cast<void const*>(kernel), call);
}
