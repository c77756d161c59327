// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls of the compiled library, gemm::compiled: those of gemm/gemm.cuh, on views whose type and order are values.
//! C++17; needs neither nvcc nor a header of CUDA.
//!
//! The names are those of namespace gemm. Behind gemm/gemm.cuh in one source they are those of gemm::compiled alone.
//! They are inline functions over gemm/gemm.h, so that the library's binary interface is that of C.
#pragma once

#include <gemm/gemm.h>
#include <gemm/compiled/closed_epilogue.hpp>
#include <gemm/compiled/group_views.hpp>
#include <gemm/compiled/views.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace gemm {
#if defined(GEMM_DETAIL_HEADERS)
namespace compiled {
#else
inline namespace compiled {
#endif
/// Device memory for a call: see workspace_size().
struct workspace {
  void* data = nullptr;   ///< at a multiple of 16 bytes
  std::size_t bytes = 0;  ///< its size
};

/// The options of a call: as those of the headers, in this order.
struct options {
  double alpha = 1;                 ///< scales A B; converted to the accumulator's type, which for int8 must hold it
  double beta = 0;                  ///< scales C; with 0, C is not read
  CUstream_st* stream = nullptr;    ///< a cudaStream_t, where the work is enqueued; its device is the call's
  compiled::workspace workspace{};  ///< for this call; by default from the library's memory pool
  bool zero_rest = false;           ///< of ragged views: zeroes what of C belongs to no product
  bool constant_a = false;          ///< promises that A is complete: see constant_a in gemm/options.hpp
  bool constant_b = false;          ///< the same promise for B
};

/// The kinds of failure, by the remedy.
enum class status_code : std::int32_t { success, invalid_argument, unsupported_device, cuda_failure, file_failure };

/// The outcome of a call; true on success. On failure message() names the argument, its value and the rule it breaks,
/// and nothing was launched or written.
class [[nodiscard]] status {
 public:
  /// Success.
  status() : result_{sizeof(result_), 0, 0, ""} {}

  /// Whether the call succeeded.
  explicit operator bool() const { return result_.code == GEMM_SUCCESS; }
  /// The kind of failure.
  status_code code() const { return static_cast<status_code>(result_.code); }
  /// The cudaError_t where code() is cuda_failure, 0 otherwise.
  int cuda_error() const { return result_.cuda_error; }
  /// One sentence without a full stop; empty on success. Lives as long as this object.
  char const* message() const { return result_.message; }

  /// What the C interface fills.
  gemm_status* descriptor() { return &result_; }

 private:
  gemm_status result_;
};

/// The plan that run() follows: see gemm_choice.
using choice = gemm_choice;
/// The report of load_tuning(): see gemm_tuning_report.
using tuning_report = gemm_tuning_report;

namespace detail {

/// A call's descriptors, which point to one another: it is used where it is made.
class call {
 public:
  call(operand const& a, operand const& b, matrix const& c, options const& opts, steps const& epilogue)
      : a_(a.descriptor),
        b_(b.descriptor),
        c_(c.descriptor),
        residual_(epilogue.residual_matrix),
        epilogue_(epilogue.values),
        call_(gemm_default_call(&a_, &b_, &c_)) {
    epilogue_.residual = epilogue.has_residual ? &residual_ : nullptr;
    call_.alpha = opts.alpha;
    call_.beta = opts.beta;
    call_.epilogue = epilogue.last != steps::none ? &epilogue_ : nullptr;
    call_.stream = opts.stream;
    call_.workspace = opts.workspace.data;
    call_.workspace_bytes = opts.workspace.bytes;
    call_.constant_a = opts.constant_a;
    call_.constant_b = opts.constant_b;
    call_.zero_rest = opts.zero_rest;
    belongs_ = set_groups(call_, a.ranges, b.ranges, c.ranges, groups_);
    null_ = epilogue.null;
    misplaced_ = epilogue.misplaced;
    before_it_ = epilogue.before_it;
  }
  call(call const&) = delete;
  call& operator=(call const&) = delete;

  /// Whether the views belong together, and the epilogue's steps are compiled.
  bool check(status& result) const {
    gemm_status* const to = result.descriptor();
    if (!belongs_) {
      *to = groups_;
      return false;
    }
    if (misplaced_ != nullptr) {
      std::snprintf(to->message, sizeof(to->message),
                    "the epilogue has %s behind %s, needs the order bias, activation, residual, amax, scale: others "
                    "need gemm/gemm.cuh",
                    misplaced_, before_it_);
    } else if (null_ != nullptr) {
      std::snprintf(to->message, sizeof(to->message), "%s is null, needs memory for one number", null_);
    } else {
      return true;
    }
    to->code = GEMM_INVALID_ARGUMENT;
    return false;
  }
  gemm_call const* get() const { return &call_; }

 private:
  gemm_matrix a_, b_, c_, residual_;
  gemm_epilogue epilogue_;
  gemm_call call_;
  gemm_status groups_ = {sizeof(gemm_status), 0, 0, ""};
  bool belongs_ = true;
  char const *null_ = nullptr, *misplaced_ = nullptr, *before_it_ = nullptr;
};

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), enqueued on the stream of the options: see gemm::run() in gemm/run.cuh,
/// whose arithmetic, lifetimes and messages are the same. Types that are not compiled into the library are refused.
///
/// @param a  m x k
/// @param b  k x n
/// @param c  m x n: read where beta is not 0, and written
/// @param opts  alpha, beta, stream and workspace
/// @param last  applied to each element before it is stored
/// @return a status that names the argument, its value and the rule that it breaks
inline status run(operand const& a, operand const& b, matrix const& c, options const& opts = {},
                  epilogue const& last = identity{}) {
  status result;
  detail::call const call(a, b, c, opts, last.steps);
  if (call.check(result)) {
    gemm_run(call.get(), result.descriptor());
  }
  return result;
}
/// The same with the default options.
inline status run(operand const& a, operand const& b, matrix const& c, epilogue const& last) {
  return run(a, b, c, options{}, last);
}

/// The status that run() with the same arguments would return, short of the launch itself.
inline status can_run(operand const& a, operand const& b, matrix const& c, options const& opts = {},
                      epilogue const& last = identity{}) {
  status result;
  detail::call const call(a, b, c, opts, last.steps);
  if (call.check(result)) {
    gemm_can_run(call.get(), result.descriptor());
  }
  return result;
}
/// The same with the default options.
inline status can_run(operand const& a, operand const& b, matrix const& c, epilogue const& last) {
  return can_run(a, b, c, options{}, last);
}

/// Bytes of device memory that run() with the same arguments uses as workspace; 0 where it needs none or would
/// refuse.
inline std::size_t workspace_size(operand const& a, operand const& b, matrix const& c, options const& opts = {},
                                  epilogue const& last = identity{}) {
  status result;
  std::size_t bytes = 0;
  detail::call const call(a, b, c, opts, last.steps);
  if (call.check(result)) {
    gemm_workspace_size(call.get(), &bytes, result.descriptor());
  }
  return bytes;
}
/// The same with the default options.
inline std::size_t workspace_size(operand const& a, operand const& b, matrix const& c, epilogue const& last) {
  return workspace_size(a, b, c, options{}, last);
}

/// The plan that run() with the same arguments follows. Empty where there is nothing to compute or run() would
/// refuse.
inline choice chosen(operand const& a, operand const& b, matrix const& c, options const& opts = {},
                     epilogue const& last = identity{}) {
  status result;
  choice found{};
  found.struct_size = sizeof(found);
  detail::call const call(a, b, c, opts, last.steps);
  if (call.check(result)) {
    gemm_chosen(call.get(), &found, result.descriptor());
  }
  return found;
}
/// The same with the default options.
inline choice chosen(operand const& a, operand const& b, matrix const& c, epilogue const& last) {
  return chosen(a, b, c, options{}, last);
}

/// Loads the plans of a tuning cache, by default that of the environment's GEMM_TUNING_CACHE: from then on run()
/// follows them. `report` is filled on success, if not null.
inline status load_tuning(char const* path = nullptr, tuning_report* report = nullptr) {
  status result;
  if (report != nullptr) {
    report->struct_size = sizeof(*report);
  }
  gemm_load_tuning(path, report, result.descriptor());
  return result;
}

/// Forgets all plans that were loaded: run() chooses by price again.
inline void forget_tuning() { gemm_forget_tuning(); }

}  // namespace compiled
}  // namespace gemm
