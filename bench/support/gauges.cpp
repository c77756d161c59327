// SPDX-License-Identifier: BSL-1.0
//! @file
//! The few functions of NVML that are needed. Declared here: its header is not part of every toolkit.

#include "gauges.hpp"

#include <dlfcn.h>

#include <array>

namespace bench {

namespace {

constexpr int clock_of_multiprocessors = 1;  // NVML_CLOCK_SM

/// A function of the library; one that fails where it is missing.
template <class... Parameters>
auto function(void* library, char const* name) {
  using type = int (*)(Parameters...);
  auto const found = library == nullptr ? nullptr : reinterpret_cast<type>(dlsym(library, name));
  return found != nullptr ? found : [](Parameters...) { return -1; };
}

}  // namespace

gauges::gauges(std::string const& pci_bus_id) : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
  if (function<>(library_, "nvmlInit_v2")() != 0 ||
      function<char const*, void**>(library_, "nvmlDeviceGetHandleByPciBusId_v2")(pci_bus_id.c_str(), &device_) != 0) {
    device_ = nullptr;
  }
}

gauges::~gauges() {
  function<>(library_, "nvmlShutdown")();
  if (library_ != nullptr) {
    dlclose(library_);
  }
}

std::optional<reading> gauges::read() const {
  unsigned megahertz = 0, milliwatts = 0;
  if (device_ == nullptr ||
      function<void*, int, unsigned*>(library_, "nvmlDeviceGetClockInfo")(device_, clock_of_multiprocessors,
                                                                          &megahertz) != 0 ||
      function<void*, unsigned*>(library_, "nvmlDeviceGetPowerUsage")(device_, &milliwatts) != 0) {
    return {};
  }
  return reading{.sm_megahertz = static_cast<double>(megahertz), .watts = milliwatts * 1e-3};
}

std::string gauges::driver_version() const {
  std::array<char, 96> text{};
  int const error = function<char*, unsigned>(library_, "nvmlSystemGetDriverVersion")(
      text.data(), static_cast<unsigned>(text.size()));
  return error == 0 ? text.data() : "";
}

}  // namespace bench
