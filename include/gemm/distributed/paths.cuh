// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which path a call of several ranks takes: the products' prices and the links' rates.
#pragma once

#include <limits>

#include <gemm/choose/call.cuh>
#include <gemm/distributed/exchange_price.hpp>
#include <gemm/distributed/options.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/peers.hpp>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>
#include <gemm/tables/links.hpp>

namespace gemm::detail {

/// What is known of the current device; nothing where it cannot be asked, which a launch will say.
inline device_info device_of_call() {
  device_info info;
  return current_device_info(info) ? info : device_info{};
}

/// The rates of the links: the caller's, or those of the current device.
template <class Scalar>
tables::link_rates const& link_of(peer_options<Scalar> const& opts) {
  return opts.link != nullptr ? *opts.link : tables::links_of(device_of_call().table->gpu);
}

/// The predicted seconds of a product; infinity where there is no price.
template <class Policy, class Problem>
static double seconds_of(Problem const& p, workspace const& given) {
  call_plan plan;
  return plan_call<Policy>(p, prepacked_terms{}, &given, plan) ? plan.seconds : std::numeric_limits<double>::infinity();
}

/// Tells the caller what has been chosen.
template <class Scalar>
void tell_choice(exchange_choice const& choice, peer_options<Scalar> const& opts) {
  if (opts.chosen != nullptr) {
    *opts.chosen = choice;
  }
}

/// Whether a call exchanges before or after the product of all rows, `whole`, not beside that of shards. `load` lacks
/// their seconds.
template <class Policy, class Sharded, class Problem, class Scalar>
static bool is_sequential(Sharded const& shards, Problem const& whole, exchange_load load,
                          tables::link_rates const& link, peer_options<Scalar> const& opts) {
  if (opts.path == exchange::automatic || opts.chosen != nullptr) {
    load.overlapped = seconds_of<Policy>(shards, opts.workspace);
    load.whole = seconds_of<Policy>(whole, opts.workspace);
    load.bandwidth = device_of_call().bandwidth;
  }
  exchange_choice const choice = choose_exchange(opts.path, load, link);
  tell_choice(choice, opts);
  return choice.path == exchange::peer_memory_sequential;
}

/// The rule of a path that needs no collectives.
inline status validate_path(exchange path) {
  return path == exchange::collectives || path == exchange::collectives_sequential
             ? broken_rule("%s is one of NCCL's collectives, needs a communicator: give a gemm::nccl_peers", "path")
             : status{};
}

}  // namespace gemm::detail
