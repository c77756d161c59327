// SPDX-License-Identifier: BSL-1.0
//! @file
//! A graph: the operations that a stream recorded, in their order.
#pragma once

#include <vector>

#include "stream.hpp"

struct CUgraph_st {
  std::vector<cpu_device::operation> operations;
};

struct CUgraphExec_st {
  std::vector<cpu_device::operation> operations;
};
