// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads the options from the environment.

#include "cpu_device/options.hpp"

#include <cstdlib>
#include <string_view>

#include "cpu_device/device.hpp"

namespace cpu_device {
namespace {

std::string_view environment(char const* name) {
  char const* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

run_order order_from_environment() {
  std::string_view const value = environment("CPU_DEVICE_ORDER");
  if (value.empty() || value == "forward") {
    return run_order::forward;
  }
  if (value == "reverse") {
    return run_order::reverse;
  }
  if (value == "random") {
    return run_order::random;
  }
  fail("CPU_DEVICE_ORDER must be forward, reverse or random, but is %s", value.data());
}

copy_completion completion_from_environment(run_order order) {
  std::string_view const value = environment("CPU_DEVICE_COMPLETION");
  if (value.empty()) {
    return order == run_order::random ? copy_completion::mixed : copy_completion::lazy;
  }
  if (value == "lazy") {
    return copy_completion::lazy;
  }
  if (value == "eager") {
    return copy_completion::eager;
  }
  if (value == "mixed") {
    return copy_completion::mixed;
  }
  fail("CPU_DEVICE_COMPLETION must be lazy, eager or mixed, but is %s", value.data());
}

unsigned seed_from_environment() {
  std::string_view const value = environment("CPU_DEVICE_SEED");
  if (value.empty()) {
    return options{}.seed;
  }
  char* end = nullptr;
  unsigned long const seed = std::strtoul(value.data(), &end, 10);
  if (*end != '\0') {
    fail("CPU_DEVICE_SEED must be a number, but is %s", value.data());
  }
  return unsigned(seed);
}

options from_environment() {
  options initial;
  initial.order = order_from_environment();
  initial.completion = completion_from_environment(initial.order);
  initial.seed = seed_from_environment();
  return initial;
}

}  // namespace

options& current_options() {
  static options current = from_environment();
  return current;
}

}  // namespace cpu_device
