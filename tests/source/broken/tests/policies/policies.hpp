gemm::one_8x8, gemm::two_8x8
