// SPDX-License-Identifier: BSL-1.0
//! @file
//! The picture of mma.sync.
#pragma once

#include <string>

namespace explain {

/// Who holds which element of a fragment, which address each lane gives to ldmatrix, and the bank conflicts without a
/// swizzle, with it, and with padding.
std::string picture_of_mma();

}  // namespace explain
