// SPDX-License-Identifier: BSL-1.0
//! @file
//! How clusters walk products with rows of their own.
#pragma once

#include <string>

namespace explain {

/// A table of HTML: the tiles of some products of ragged_rows(), and which cluster computes each of them when. By the
/// walk of the library's kernels, on the host.
std::string groups_table();

}  // namespace explain
