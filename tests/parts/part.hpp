// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a part of a program reports: a translation unit or shared library that is compiled for GPUs of its own.
#pragma once

/// Filled by a part's only function, which makes its first calls of the library.
struct part_report {
  bool can_run_wgmma = false;
  bool chooses_wgmma = false;  ///< for a product of bf16
  int wrong_products = 0;      ///< of many on one stream, each of kernels that read what the one before writes
  char failure[256] = "";      ///< the first failing call's message
};

using part_function = void (*)(part_report*);
