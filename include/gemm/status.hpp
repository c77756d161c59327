// SPDX-License-Identifier: BSL-1.0
//! @file
//! The result of a call: success, or the argument and the rule that it breaks.
#pragma once

#include <gemm/cxx20.hpp>

#include <cuda_runtime.h>

#include <cstdarg>
#include <cstdio>

namespace gemm {

/// The kinds of failure, by the remedy.
enum class status_code : unsigned char {
  success,             ///< the work was enqueued, or there is none to do
  invalid_argument,    ///< a view, an option or an epilogue breaks a rule
  unsupported_device,  ///< the policy needs more than the current device has
  cuda_failure,        ///< the CUDA runtime refused a call; cuda_error() says how
  file_failure,        ///< a tuning cache cannot be read or written
  wrong_result,        ///< a candidate of tune() computed another product than the reference
};

/// The outcome of a call; true on success. On failure message() names the argument, its value and the rule it breaks,
/// and nothing was launched or written. One exception: where the runtime refuses a later launch of a call with several
/// (cuda_failure), the earlier ones were enqueued.
class [[nodiscard]] status {
 public:
  /// Success.
  status() { message_[0] = '\0'; }

  /// A failure with a message formatted as by printf, of at most 255 characters.
  __attribute__((__format__(printf, 4, 5))) status(status_code code, cudaError_t error, char const* format, ...)
      : code_(code), cuda_error_(error) {
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(message_, sizeof(message_), format, values);
    va_end(values);
  }

  /// Whether the call succeeded.
  explicit operator bool() const { return code_ == status_code::success; }
  /// The kind of failure.
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
