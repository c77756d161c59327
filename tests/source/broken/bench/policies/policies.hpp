gemm::one_8x8
