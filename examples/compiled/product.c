/* SPDX-License-Identifier: BSL-1.0 */
/**
 * @file
 * The compiled library in C: relu(A B + bias) of floats.
 */

#include <cuda_runtime_api.h>
#include <gemm/gemm.h>
#include <stdio.h>

static float* to_device(float const* values, size_t bytes) {
  void* memory = NULL;
  if (cudaMalloc(&memory, bytes) != cudaSuccess ||
      cudaMemcpy(memory, values, bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
    puts("no device memory");
    return NULL;
  }
  return (float*)memory;
}

int main(void) {
  float const host_a[] = {1, 2, 3, 4, 5, 6};    /* 2 x 3 */
  float const host_b[] = {7, 8, 9, 10, 11, 12}; /* 3 x 2 */
  float const host_bias[] = {-60, 1};           /* of the columns of C */
  float host_c[4] = {0, 0, 0, 0};
  float* const data_a = to_device(host_a, sizeof(host_a));
  float* const data_b = to_device(host_b, sizeof(host_b));
  float* const data_bias = to_device(host_bias, sizeof(host_bias));
  float* const data_c = to_device(host_c, sizeof(host_c));
  if (data_a == NULL || data_b == NULL || data_bias == NULL || data_c == NULL) {
    return 1;
  }

  /* example-begin c */
  gemm_matrix const a = gemm_row_major(data_a, GEMM_FLOAT, 2, 3);
  gemm_matrix const b = gemm_row_major(data_b, GEMM_FLOAT, 3, 2);
  gemm_matrix const c = gemm_row_major(data_c, GEMM_FLOAT, 2, 2);
  gemm_epilogue epilogue = gemm_default_epilogue();
  epilogue.bias = data_bias;
  epilogue.bias_kind = GEMM_BIAS_PER_COLUMN;
  epilogue.activation = GEMM_RELU;
  gemm_call call = gemm_default_call(&a, &b, &c);
  call.epilogue = &epilogue;
  gemm_status status = {sizeof(status), 0, 0, ""};
  if (gemm_run(&call, &status) != GEMM_SUCCESS) {
    puts(status.message);
    return 1;
  }
  /* example-end */

  if (cudaMemcpy(host_c, data_c, sizeof(host_c), cudaMemcpyDeviceToHost) != cudaSuccess) {
    puts("no result");
    return 1;
  }
  printf("gemm %s: %g %g, %g %g\n", gemm_version_string(), (double)host_c[0], (double)host_c[1], (double)host_c[2],
         (double)host_c[3]);
  cudaFree(data_a);
  cudaFree(data_b);
  cudaFree(data_bias);
  cudaFree(data_c);
  return host_c[0] == 0 && host_c[1] == 65 && host_c[2] == 79 && host_c[3] == 155 ? 0 : 1;
}
