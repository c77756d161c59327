// SPDX-License-Identifier: BSL-1.0
//! @file
//! A kernel_info in words.
#pragma once

#include <string>

#include <gemm/kernel_info.hpp>

namespace gemm {

constexpr char const* text(architecture target) { return detail::facts_of_architecture[static_cast<int>(target)].name; }

constexpr char const* text(math_op op) { return detail::name_of_op[static_cast<int>(op)]; }

constexpr char const* text(operand_loader loader) {
  switch (loader) {
    case operand_loader::through_registers:
      return "loads through registers";
    case operand_loader::cp_async:
      return "cp.async";
    case operand_loader::tma:
      return "TMA";
    default:
      return "direct loads";
  }
}

constexpr char const* text(tile_schedule schedule) {
  return schedule == tile_schedule::persistent  ? "persistent"
         : schedule == tile_schedule::ping_pong ? "persistent, ping-pong"
                                                : "one tile a block";
}

constexpr char const* text(detail::reduction mode) {
  return mode == detail::reduction::cluster        ? "cluster"
         : mode == detail::reduction::last_arriver ? "last block (stream-K)"
                                                   : "workspace";
}

/// "sm_90a wgmma, TMA, 4 stages, persistent, cluster 2x1, split-K by workspace".
inline std::string text(kernel_info const& info) {
  std::string words = std::string(text(info.arch)) + ' ' + text(info.op) + ", " + text(info.loader);
  auto const add = [&](std::string const& more) { words += ", " + more; };
  if (info.stages > 1) {
    add(std::to_string(info.stages) + " stages");
  }
  add(info.products > 1 ? std::to_string(info.products) + " products a block" : text(info.schedule));
  if (info.cluster_blocks() > 1) {
    add("cluster " + std::to_string(info.cluster_m) + 'x' + std::to_string(info.cluster_n));
  }
  if (info.k_groups > 1) {
    add(std::to_string(info.k_groups) + " groups sliced-K");
  }
  if (info.is_split()) {
    add("k in " + std::to_string(info.slices.most) + " slices by " + text(info.slices.mode));
  } else if (info.reductions.any()) {
    add(std::string("split-K by ") + (!info.reductions.cluster    ? "workspace"
                                      : info.reductions.workspace ? "workspace or cluster"
                                                                  : "cluster"));
  }
  if (info.promotion > 0) {
    add("promotes every " + std::to_string(info.promotion) + " k");
  }
  if (info.sliced) {
    add("k shared by a cluster");
  }
  if (info.split_terms) {
    add(std::string(info.equilibrated ? "equilibrated " : "") + "split terms" +
        (info.with_fallback ? " with fallback" : ""));
  }
  if (info.repacks) {
    add("repacks");
  }
  return words;
}

}  // namespace gemm
