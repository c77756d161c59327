// SPDX-License-Identifier: BSL-1.0
//! @file
//! Clock and power of the GPU, where NVML is there to tell.
#pragma once

#include <optional>
#include <string>

namespace bench {

struct reading {
  double sm_megahertz, watts;
};

/// Reads through libnvidia-ml.so.1, which comes with the driver and is looked for at run time.
class gauges {
 public:
  /// For the GPU with this PCI bus id, as of cudaDeviceGetPCIBusId.
  explicit gauges(std::string const& pci_bus_id);
  gauges(gauges const&) = delete;
  gauges& operator=(gauges const&) = delete;
  ~gauges();

  std::optional<reading> read() const;

  /// "580.159.04"; empty without NVML.
  std::string driver_version() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace bench
