// SPDX-License-Identifier: BSL-1.0
//! @file
//! Names two policies, of which one has a row.
struct one_8x8 : naive<block<8, 8>> {};
struct two_8x8 : naive<block<8, 8>> {};
