// SPDX-License-Identifier: BSL-1.0
//! @file
//! A kernel that knows where its parameter keeps the problem.

template <class Params>
int rows(Params const& params) {
  return params.io.m;
}
