// SPDX-License-Identifier: BSL-1.0
//! @file
//! A kernel_info in words.
#pragma once

#include <string>

#include <gemm/kernel_info.hpp>

namespace gemm {

constexpr char const* text(architecture of) { return of == architecture::sm_90a ? "sm_90a" : "sm_80"; }

constexpr char const* text(math_op of) { return of == math_op::wgmma ? "wgmma" : of == math_op::mma ? "mma" : "simt"; }

constexpr char const* text(operand_loader of) {
  switch (of) {
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

constexpr char const* text(tile_schedule of) {
  return of == tile_schedule::persistent  ? "persistent"
         : of == tile_schedule::ping_pong ? "persistent, ping-pong"
                                          : "one tile a block";
}

constexpr char const* text(detail::reduction of) {
  return of == detail::reduction::cluster        ? "cluster"
         : of == detail::reduction::last_arriver ? "last block (stream-K)"
                                                 : "workspace";
}

/// "sm_90a wgmma, TMA, 4 stages, persistent, cluster 2x1, split-K by workspace".
inline std::string text(kernel_info const& of) {
  std::string words = std::string(text(of.arch)) + ' ' + text(of.op) + ", " + text(of.loader);
  auto const add = [&](std::string const& more) { words += ", " + more; };
  if (of.stages > 1) {
    add(std::to_string(of.stages) + " stages");
  }
  add(of.products > 1 ? std::to_string(of.products) + " products a block" : text(of.schedule));
  if (of.cluster_blocks() > 1) {
    add("cluster " + std::to_string(of.cluster_m) + 'x' + std::to_string(of.cluster_n));
  }
  if (of.k_groups > 1) {
    add(std::to_string(of.k_groups) + " groups sliced-K");
  }
  if (of.is_split()) {
    add("k in " + std::to_string(of.slices.most) + " slices by " + text(of.slices.by));
  } else if (of.reductions.any()) {
    add(std::string("split-K by ") + (!of.reductions.cluster    ? "workspace"
                                      : of.reductions.workspace ? "workspace or cluster"
                                                                : "cluster"));
  }
  if (of.promotion > 0) {
    add("promotes every " + std::to_string(of.promotion) + " k");
  }
  if (of.sliced) {
    add("k shared by a cluster");
  }
  if (of.split_terms) {
    add(std::string(of.equilibrated ? "equilibrated " : "") + "split terms" +
        (of.with_fallback ? " with fallback" : ""));
  }
  if (of.repacks) {
    add("repacks");
  }
  return words;
}

}  // namespace gemm
