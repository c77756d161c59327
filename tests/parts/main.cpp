// SPDX-License-Identifier: BSL-1.0
//! @file
//! A program of two parts, one compiled for sm_90a and one to PTX of compute_80, on a GPU of compute capability 9.0.
//! Each must do what its own code can, whichever is asked first: the one has wgmma, the other computes without.
//!
//!     main fast|plain                    the part to ask first, of those that are linked
//!     main fast|plain FAST.so PLAIN.so   of libraries that are loaded by dlopen(RTLD_LOCAL), that one first

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "part.hpp"

extern "C" {
#if !defined(PARTS_ARE_LOADED)
void fast_part(part_report*);
void plain_part(part_report*);
#endif
}

namespace {

constexpr int skipped = 77;

part_function load(char const* path, char const* name) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* const found = library != nullptr ? dlsym(library, name) : nullptr;
  if (found == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
  }
  return reinterpret_cast<part_function>(found);
}

bool check(char const* part, bool fast, part_function ask) {
  part_report report;
  ask(&report);
  bool const right = report.can_run_wgmma == fast && report.chooses_wgmma == fast && report.wrong_products == 0 &&
                     report.failure[0] == '\0';
  std::printf("%s: wgmma can %srun and is %schosen, %d products are wrong%s%s\n", part,
              report.can_run_wgmma ? "" : "not ", report.chooses_wgmma ? "" : "not ", report.wrong_products,
              report.failure[0] != '\0' ? ": " : "", report.failure);
  return right;
}

}  // namespace

int main(int count, char** arguments) {
  int devices = 0, major = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0 ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess || major != 9) {
    std::printf("there is no GPU of compute capability 9.0\n");
    return skipped;
  }
  bool const plain_first = count > 1 && std::strcmp(arguments[1], "plain") == 0;
  part_function fast = nullptr, plain = nullptr;
#if defined(PARTS_ARE_LOADED)
  if (count < 4) {
    return 2;
  }
  if (plain_first) {
    plain = load(arguments[3], "plain_part");
    fast = load(arguments[2], "fast_part");
  } else {
    fast = load(arguments[2], "fast_part");
    plain = load(arguments[3], "plain_part");
  }
  if (fast == nullptr || plain == nullptr) {
    return 1;
  }
#else
  fast = fast_part;
  plain = plain_part;
#endif
  bool right = true;
  if (plain_first) {
    right = check("plain", false, plain) && right;
  }
  right = check("fast", true, fast) && right;
  if (!plain_first) {
    right = check("plain", false, plain) && right;
  }
  return right ? 0 : 1;
}
