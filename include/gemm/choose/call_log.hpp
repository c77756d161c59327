// SPDX-License-Identifier: BSL-1.0
//! @file
//! One line on stderr for each call, where the environment says GEMM_LOG=1; and a range of NVTX that has it as name,
//! where GEMM_NVTX is defined before the library is included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#if defined(GEMM_NVTX)
#include <nvtx3/nvtx3.hpp>
#endif

#include <gemm/choose/choice.hpp>
#include <gemm/matrix.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Whether calls are logged. The environment is read once, at the first call.
inline bool logs_calls() {
  static bool const asked = [] {
    char const* const value = std::getenv("GEMM_LOG");
    return value != nullptr && std::string_view(value) == "1";
  }();
  return asked;
}

/// A call as its line says it, without its types.
struct logged_call {
  std::int64_t m, n, k, batch;
  std::string_view a_type, b_type, c_type;
  order a, b, c;
};

/// The line, without its end, in at most `size` bytes of `text`. A policy that the caller named has no prediction.
[[gnu::cold]] inline void format_call(char* text, std::size_t size, logged_call const& call, choice const& chosen,
                                      status const& result) {
  using wide = long long;
  auto const length = [](std::string_view s) { return static_cast<int>(s.size()); };
  auto const major = [](order o) { return o == order::row ? "row" : "column"; };
  char batch[32] = "", how[160] = "", note[128] = "";
  if (call.batch != 1) {
    std::snprintf(batch, sizeof(batch), " x %lld", wide{call.batch});
  }
  if (!result) {
    std::snprintf(how, sizeof(how), "refused: ");
  } else if (chosen.policy.empty()) {
    std::snprintf(how, sizeof(how), "nothing to compute");
  } else {
    char slices[64] = "", seconds[48] = "";
    if (chosen.slices > 1) {
      std::snprintf(slices, sizeof(slices), ", k in %d slices%s", chosen.slices,
                    chosen.in_cluster ? " in clusters"
                    : chosen.tail     ? " for the last tiles"
                    : chosen.in_block ? " in a block"
                                      : "");
    }
    if (chosen.seconds > 0) {
      std::snprintf(seconds, sizeof(seconds), ", %.4g us %s", chosen.seconds * 1e6,
                    chosen.source == choice_source::tuned ? "measured" : "predicted");
    }
    std::snprintf(how, sizeof(how), "%.*s%s%s%s", length(chosen.policy), chosen.policy.data(), slices,
                  chosen.packs_a   ? (chosen.packs_b ? ", packs A and B" : ", packs A")
                  : chosen.packs_b ? ", packs B"
                                   : "",
                  seconds);
  }
  if (!chosen.note.empty()) {
    std::snprintf(note, sizeof(note), "; %.*s", length(chosen.note), chosen.note.data());
  }
  std::snprintf(text, size, "gemm: %lldx%lldx%lld%s, %.*s x %.*s -> %.*s, %s x %s -> %s: %s%s%s", wide{call.m},
                wide{call.n}, wide{call.k}, batch, length(call.a_type), call.a_type.data(), length(call.b_type),
                call.b_type.data(), length(call.c_type), call.c_type.data(), major(call.a), major(call.b),
                major(call.c), how, result.message(), note);
}

/// @param format  writes the line to a text of at most so many bytes
template <class Format>
[[gnu::cold, gnu::noinline]] void log_call(Format const& format) {
  char line[640];
  format(line, sizeof(line));
  std::fprintf(stderr, "%s\n", line);
}

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
