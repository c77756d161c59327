// SPDX-License-Identifier: BSL-1.0
//! @file
//! The account as a picture.
#pragma once

#include <filesystem>
#include <string>

#include "study.hpp"

namespace explain {

/// Who computes what, what a load touches, and which banks are busy when: an SVG image, the same on every machine.
std::string picture_of(study const& s);

/// Writes DIRECTORY/POLICY.svg; says where it cannot.
bool save_picture(std::string const& policy, std::string const& picture, std::string const& directory);

/// Writes a file; says where it cannot.
bool save(std::string const& what, std::filesystem::path const& path);

}  // namespace explain
