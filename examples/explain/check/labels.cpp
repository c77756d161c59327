// SPDX-License-Identifier: BSL-1.0
//! @file
//! explain_labels FILE...: whether the texts of pictures that svg.hpp wrote have room where DejaVu Sans is the only
//! font.
//!
//! A text lies within the image and over no other text, with room between neighbours on a line; what is written into
//! boxes fits into its box.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../text_width.hpp"

namespace {

struct rectangle {
  double left, top, right, bottom;
};

struct label {
  std::string what;
  double x, y, size, width;
  rectangle place;
  bool in_box;  ///< one of those that are written into boxes, in the size of their group
};

struct drawing {
  double width = 0, height = 0;
  std::vector<label> labels;
  std::vector<rectangle> boxes;
};

/// What an element says of an attribute, or else a group around it.
std::optional<std::string> attribute(std::string_view element, std::string const& name) {
  std::string const begin = " " + name + "=\"";
  std::size_t const at = element.find(begin);
  if (at == std::string_view::npos) {
    return {};
  }
  std::size_t const first = at + begin.size();
  return std::string(element.substr(first, element.find('"', first) - first));
}

double number(std::string_view element, std::string const& name) {
  return std::atof(attribute(element, name).value_or("0").c_str());
}

/// The boxes of a path, each "Mx yhWvHh-Wz".
void add_boxes(drawing& to, std::string const& path) {
  for (std::size_t at = path.find('M'); at != std::string::npos; at = path.find('M', at + 1)) {
    double x = 0, y = 0, w = 0, h = 0;
    if (std::sscanf(path.c_str() + at, "M%lf %lfh%lfv%lf", &x, &y, &w, &h) == 4) {
      to.boxes.push_back({x, y, x + w, y + h});
    }
  }
}

label label_of(std::string_view element, std::vector<std::string> const& groups) {
  auto const inherited = [&](std::string const& name) {
    std::optional<std::string> value = attribute(element, name);
    for (auto group = groups.rbegin(); !value && group != groups.rend(); ++group) {
      value = attribute(*group, name);
    }
    return value.value_or("");
  };
  std::size_t const begin = element.find('>') + 1;
  label l{std::string(element.substr(begin, element.find("</text>") - begin)),
          number(element, "x"),
          number(element, "y"),
          std::atof(inherited("font-size").c_str()),
          0,
          {},
          !attribute(element, "font-size")};
  l.width = explain::width_of(l.what, l.size, inherited("font-weight") == "bold");
  std::string const anchor = inherited("text-anchor");
  double const left = l.x - (anchor == "end" ? 1 : anchor == "middle" ? 0.5 : 0) * l.width;
  l.place = {left, l.y - 0.73 * l.size, left + l.width, l.y};  // to the height of capitals
  return l;
}

drawing read(char const* name) {
  std::ifstream file(name);
  drawing result;
  std::vector<std::string> groups;
  for (std::string line; std::getline(file, line);) {
    std::string_view const view(line);
    if (view.starts_with("<svg ")) {
      result.width = number(view, "width");
      result.height = number(view, "height");
    } else if (view.starts_with("<g ")) {
      groups.push_back(line);
    } else if (view.starts_with("</g>")) {
      groups.pop_back();
    } else if (view.starts_with("<path ")) {
      add_boxes(result, attribute(view, "d").value_or(""));
    } else if (view.starts_with("<text ")) {
      result.labels.push_back(label_of(view, groups));
    }
  }
  return result;
}

bool meet(rectangle const& x, rectangle const& y) {
  return x.left < y.right && y.left < x.right && x.top < y.bottom && y.top < x.bottom;
}

/// The same with room around it as between words.
rectangle with_room(label const& l) {
  constexpr double half_of_room = 0.15;
  return {l.place.left - half_of_room * l.size, l.place.top, l.place.right + half_of_room * l.size, l.place.bottom};
}

/// Whether a box around the text's middle is as wide as the text.
bool fits_a_box(label const& l, drawing const& of) {
  double const y = (l.place.top + l.place.bottom) / 2;
  return std::any_of(of.boxes.begin(), of.boxes.end(), [&](rectangle const& box) {
    return box.left <= l.place.left && l.place.right <= box.right && box.top <= y && y <= box.bottom;
  });
}

int check(char const* name) {
  drawing const of = read(name);
  int wrong = of.labels.empty() ? 1 : 0;
  auto const complain = [&](label const& l, char const* how) {
    std::printf("%s: \"%s\" at %.1f, %.1f %s\n", name, l.what.c_str(), l.x, l.y, how);
    ++wrong;
  };
  for (std::size_t i = 0; i < of.labels.size(); ++i) {
    label const& l = of.labels[i];
    if (l.place.left < 0 || l.place.right > of.width || l.place.top < 0 || l.place.bottom > of.height) {
      complain(l, "reaches over the edge");
    }
    if (l.in_box && !fits_a_box(l, of)) {
      complain(l, "is wider than its box");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (meet(with_room(l), with_room(of.labels[j]))) {
        complain(l, ("meets \"" + of.labels[j].what + "\"").c_str());
      }
    }
  }
  if (of.labels.empty()) {
    std::printf("%s has no text\n", name);
  }
  return wrong;
}

}  // namespace

int main(int count, char** names) {
  int wrong = count < 2 ? 1 : 0;
  for (int i = 1; i < count; ++i) {
    wrong += check(names[i]);
  }
  return wrong == 0 ? 0 : 1;
}
