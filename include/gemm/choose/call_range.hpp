// SPDX-License-Identifier: BSL-1.0
//! @file
//! A range of NVTX for each call, where GEMM_NVTX is defined before the library is included.
#pragma once

#if defined(GEMM_NVTX)
#include <cstddef>

#include <nvtx3/nvtx3.hpp>
#endif

namespace gemm::detail {

/// No range. What would name it is not asked.
struct no_call_range {
  template <class Format>
  explicit no_call_range(Format const&) {}
};

#if defined(GEMM_NVTX)
/// The domain of all ranges, by which profilers filter.
struct nvtx_domain {
  static constexpr char const* name = "gemm";
};

/// The range of what a call enqueues, on the host's thread: kernels launched within it belong to it.
class nvtx_call_range {
 public:
  /// @param format  writes the name, the call's row in the log, to a text of at most so many bytes
  template <class Format>
  explicit nvtx_call_range(Format const& format) : range_(message(format).text) {}

 private:
  struct message {
    template <class Format>
    explicit message(Format const& format) {
      format(text, sizeof(text));
    }

    char text[640];
  };

  nvtx3::scoped_range_in<nvtx_domain> range_;
};

using call_range = nvtx_call_range;
#else
using call_range = no_call_range;
#endif

}  // namespace gemm::detail
