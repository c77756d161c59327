// SPDX-License-Identifier: BSL-1.0
#include <gemm/version.hpp>

int main() { return GEMM_VERSION_MINOR < 0; }
