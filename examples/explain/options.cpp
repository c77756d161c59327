// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads the command line.

#include "options.hpp"

#include <algorithm>
#include <cstdint>

#include "../support/command_line.hpp"
#include "../support/gpus.hpp"

namespace explain {

std::optional<command> read_command(int count, char** arguments, std::vector<std::string> const& names,
                                    std::vector<std::string> const& rings) {
  constexpr std::int64_t most = 1 << 30;
  command c;
  CLI::App app("explain: what a policy does with C = A B, without timing it\n", "explain");
  tools::add_choice(app, "--policy", c.request.policy, names, "this policy in full; without it, tables of all",
                    "--list");
  CLI::Option const* const type = tools::add_choice(app, "--type", c.type, {"f32", "f64", "f16", "bf16", "i8", "e4m3"},
                                                    "of A, B and C: f32, f64, f16, bf16, i8 with C in int32, or, with "
                                                    "--price, e4m3 with C in bf16 (f32)");
  CLI::Option const* const storage =
      tools::add_storage(app, c.request.storage,
                         ". Type and storage are for rungs 1 to 8; later ones are told in those that they were "
                         "measured in");
  for (auto const& [name, size] : {std::pair("--m", &c.request.size.m), std::pair("--n", &c.request.size.n),
                                   std::pair("--k", &c.request.size.k)}) {
    tools::add_number<std::int64_t>(app, name, *size, 1, most, "size (4096)");
  }
  std::vector<std::string> devices{"this"};
  for (tools::gpu const& g : tools::gpus) {
    devices.emplace_back(g.option);
  }
  tools::add_choice(app, "--device", c.device, devices,
                    "a100, a6000, rtx4090, l40s, rtx5090, b200, h100, h200, or this: the GPU of this machine (this, "
                    "without a GPU h200)");
  CLI::Option const* const price =
      app.add_flag("--price", c.price, "what run() chooses, and the next candidates: their prices, term by term");
  app.add_flag("--batch-invariant", c.batch_invariant, "with --price: what run<batch_invariant>() chooses");
  tools::add_number(app, "--registers", c.request.registers, 1, 255,
                    "registers of a thread, where the compiler's are not known");
  tools::add_text(app, "--svg", "FOLDER",
                  "also draw FOLDER/NAME.svg; without --policy, one for each rung of the ladder",
                  [&](std::string const& text) { c.svg = text; });
  CLI::Option const* const html =
      tools::add_text(app, "--html", "FILE", "write the ladder as one interactive page, with other tiles for each rung",
                      [&](std::string const& text) { c.html = text; });
  app.add_flag("--list", c.list, "the names of the policies");
  if (!tools::parse(app, count, arguments)) {
    return {};
  }
  if (c.request.registers > 0 && c.request.policy.empty()) {
    throw tools::refused("--registers needs --policy");
  }
  if (price->count() > 0 && (!c.request.policy.empty() || !c.svg.empty() || html->count() > 0)) {
    throw tools::refused("--price goes without --policy, --svg and --html");
  }
  if (c.batch_invariant && !c.price) {
    throw tools::refused("--batch-invariant goes with --price alone");
  }
  if (c.type == "e4m3" && !c.price) {
    throw tools::refused("--type=e4m3 goes with --price alone");
  }
  if (html->count() > 0 && (type->count() > 0 || storage->count() > 0 || !c.request.policy.empty() || !c.svg.empty())) {
    throw tools::refused("--html goes without --policy, --type, --storage and --svg");
  }
  bool const ring = std::find(rings.begin(), rings.end(), c.request.policy) != rings.end();
  if (ring && (type->count() > 0 || storage->count() > 0 || c.request.registers > 0)) {
    throw tools::refused("--policy=" + c.request.policy + " goes without --type, --storage and --registers");
  }
  return c;
}

}  // namespace explain
