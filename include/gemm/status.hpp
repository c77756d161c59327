// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a call returns: success, or which argument broke which rule.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cstdarg>
#include <cstdio>

namespace gemm {

/// The kinds of failure, by what the caller has to change.
enum class status_code : unsigned char {
  success,             ///< the work was enqueued, or there is none to do
  invalid_argument,    ///< a view, an option or an epilogue breaks a rule
  unsupported_device,  ///< the policy needs more than the current device has
  cuda_failure,        ///< the CUDA runtime refused a call; cuda_error() says how
  file_failure,        ///< a tuning cache cannot be read or written
  wrong_result,        ///< a policy that was to be tuned computed another product than the reference
};

/// The outcome of a call. Converts to true on success. On failure message() names the argument, its value and the rule
/// it breaks, and nothing was launched or written; but where the runtime refuses a later launch of a call that makes
/// several (cuda_failure), those before it were enqueued.
class [[nodiscard]] status {
 public:
  status() { message_[0] = '\0'; }

  /// A failure whose message is formatted as by printf, cut at 255 characters.
  [[gnu::format(printf, 4, 5)]] status(status_code code, cudaError_t error, char const* format, ...)
      : code_(code), cuda_error_(error) {
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(message_, sizeof(message_), format, values);
    va_end(values);
  }

  explicit operator bool() const { return code_ == status_code::success; }
  status_code code() const { return code_; }

  /// The runtime's error where code() is cuda_failure, cudaSuccess otherwise.
  cudaError_t cuda_error() const { return cuda_error_; }

  /// One sentence without a full stop; empty on success. Lives as long as this object.
  char const* message() const { return message_; }

 private:
  status_code code_ = status_code::success;
  cudaError_t cuda_error_ = cudaSuccess;
  char message_[256];  // in place, so that no call allocates
};

}  // namespace gemm
