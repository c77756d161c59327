// SPDX-License-Identifier: BSL-1.0
//! @file
//! The ranges of NVTX that profilers see. This part of the program alone is compiled with GEMM_NVTX, and is its own
//! profiler.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

#if !defined(GEMM_NVTX)
#error "gemm: this test needs GEMM_NVTX, and that nothing has included the library before."
#endif

namespace {

std::vector<std::string> pushed;
int open_ranges = 0;
std::string domain_name;

nvtxDomainHandle_t NVTX_API create_domain(char const* name) {
  domain_name = name;
  return reinterpret_cast<nvtxDomainHandle_t>(&domain_name);
}

int NVTX_API push_range(nvtxDomainHandle_t domain, nvtxEventAttributes_t const* event) {
  if (domain == reinterpret_cast<nvtxDomainHandle_t>(&domain_name)) {
    pushed.emplace_back(event->message.ascii);
  }
  return open_ranges++;
}

int NVTX_API pop_range(nvtxDomainHandle_t) { return --open_ranges; }

template <class Function>
NvtxFunctionPointer as_callback(Function* function) {
  return reinterpret_cast<NvtxFunctionPointer>(function);
}

/// What a profiler's library does when NVTX loads it.
int NVTX_API attach(NvtxGetExportTableFunc_t get_table) {
  auto const* const callbacks = static_cast<NvtxExportTableCallbacks const*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0 ||
      size <= NVTX_CBID_CORE2_DomainCreateA) {
    return 0;
  }
  *table[NVTX_CBID_CORE2_DomainCreateA] = as_callback(create_domain);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = as_callback(push_range);
  *table[NVTX_CBID_CORE2_DomainRangePop] = as_callback(pop_range);
  return 1;
}

}  // namespace

TEST_CASE("a call is a range of NVTX, named as its line in the log", "[log]") {
  test::device_array<float> const a(std::vector<float>{1, 2}), b(std::vector<float>{3, 4}), c(1);
  auto const x = gemm::row_major(a.data(), 1, 2);
  auto const y = gemm::col_major(b.data(), 2, 1);
  auto const z = gemm::row_major(c.data(), 1, 1);
  InitializeInjectionNvtx2_fnptr = attach;  // which NVTX calls at its first range
  REQUIRE(gemm::run<gemm::naive_32x4>(x, y, z));
  CHECK(pushed == std::vector<std::string>{"gemm: 1x1x2, float x float -> float, row x column -> row: naive_32x4"});
  CHECK(domain_name == "gemm");
  CHECK(open_ranges == 0);
  CHECK(c.download() == std::vector<float>{11});

  // What launches nothing has no range.
  pushed.clear();
  CHECK_FALSE(gemm::run<gemm::naive_32x4>(x, y, gemm::row_major(c.data(), 1, 1, 0)));
  CHECK(gemm::run<gemm::naive_32x4>(gemm::row_major(a.data(), 0, 2), y, gemm::row_major(c.data(), 0, 1)));
  CHECK(pushed.empty());
}
