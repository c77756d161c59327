// SPDX-License-Identifier: BSL-1.0
//! @file
//! The picture as a whole, and its legend.

#include "picture.hpp"

#include <cstdio>
#include <fstream>

#include "panels.hpp"

namespace explain {

double draw_legend(svg& image, study const& s, double top) {
  double x = left;
  image.group("font-size=\"11\"");
  auto const entry = [&](char const* fill, char const* what) {
    image.box(x, top, 14, 12, fill);
    image.label(x + 19, top + 10, 11, what, remark);
    x += 19 + width_of(what, 11) + 16;
  };
  for (int lane = 0; lane < 32; lane += 4) {
    image.box(x, top, 7, 12, lane_fill(lane + 2).c_str());
    x += 7;
  }
  image.label(x + 5, top + 10, 11, "threads 0 to 31 of warp 0, its lanes", remark);
  x += 5 + width_of("threads 0 to 31 of warp 0, its lanes", 11) + 12;
  entry(chosen_fill, "thread 0");
  if (s.facts.from != feed::tma && s.facts.from != feed::tensor_cores) {
    entry(unused_fill, "fetched, not used");
  }
  if (s.facts.from != feed::global) {
    entry(conflict_fill, "extra pass: bank conflict");
    entry(idle_fill, "idle bank");
  }
  image.end_group();
  return top + 12;
}

std::string picture_of(study const& s) {
  svg image;
  image.label(left, 38, 21, text("Rung %d: %s", s.facts.number, s.facts.title), heading);
  // Without a type it is float.
  image.label(svg::width - left, 38, 13, s.type == "float" ? s.policy : s.policy + ", " + s.type, remark, "end");
  image.label(left, 60, 13.5, s.facts.idea, remark);
  double y = draw_ownership(image, s, 94);
  y = draw_loads(image, s, y + 34);
  y = s.facts.from == feed::global ? y : draw_banks(image, s, y + 34);
  y = s.ahead > 0 ? draw_time(image, s, y + 34) : y;
  y = draw_legend(image, s, y + 26);
  return image.image(y + 20, text("%s: who computes what, and what a warp touches", s.policy.c_str()));
}

bool save_picture(std::string const& policy, std::string const& picture, std::string const& directory) {
  std::error_code ignored;  // a file that cannot be written is reported below
  std::filesystem::create_directories(directory, ignored);
  return save(picture, std::filesystem::path(directory) / (policy + ".svg"));
}

bool save(std::string const& what, std::filesystem::path const& path) {
  std::ofstream file(path, std::ios::binary);
  file << what;
  file.close();
  if (!file) {
    std::fprintf(stderr, "explain: cannot write %s\n", path.c_str());
    return false;
  }
  return true;
}

}  // namespace explain
