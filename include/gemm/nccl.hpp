// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of the ranks of a communicator of NCCL: <gemm/distributed.hpp> where they reach each other's memory, else
//! NCCL's collectives. The one header by which <nccl.h> is included; link libnccl.
#pragma once

#include <gemm/distributed/nccl_peers.hpp>
#include <gemm/distributed/nccl_products.cuh>
