// SPDX-License-Identifier: BSL-1.0
//! @file
//! NVRTC's <stdint.h>, for targets whose long has 64 bits.
#pragma once

using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;
