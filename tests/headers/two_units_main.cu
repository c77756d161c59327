// SPDX-License-Identifier: BSL-1.0
//! @file
//! Two translation units that use the library in one program: it links, and both compute.

#include <cstdio>

#include "two_units.hpp"

int main() {
  float const a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, want[] = {19, 22, 43, 50};
  float* memory = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&memory), 16 * sizeof(float)) != cudaSuccess) {
    return 1;
  }
  float *const da = memory, *const db = memory + 4, *const dc = memory + 8;
  bool right = cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice) == cudaSuccess &&
               cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice) == cudaSuccess;
  right = right && multiply(da, db, dc) && multiply_in_other_unit(da, db, dc + 4);
  float got[8] = {};
  right = right && cudaMemcpy(got, dc, sizeof(got), cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 8; ++i) {
    right = right && got[i] == want[i % 4];
  }
  right = cudaFree(memory) == cudaSuccess && right;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
