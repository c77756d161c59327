// SPDX-License-Identifier: BSL-1.0
//! @file
//! A writer of SVG images: boxes, lines and text.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "text.hpp"

namespace explain {

/// An image 960 wide. Lengths are written with one decimal, so the same drawing is the same text on every machine.
/// Attributes and texts are written as they are: no marks that XML has a use for.
class svg {
 public:
  static constexpr double width = 960;

  void box(double x, double y, double w, double h, std::string_view attributes) {
    write("<rect x=\"", x, "\" y=\"", y, "\" width=\"", w, "\" height=\"", h, "\" ", attributes, "/>\n");
  }

  /// Several boxes, each x, y, width and height, in one element.
  void boxes(std::vector<std::array<double, 4>> const& places, std::string_view attributes) {
    write("<path d=\"");
    for (auto const& [x, y, w, h] : places) {
      write("M", x, " ", y, "h", w, "v", h, "h", -w, "z");
    }
    write("\" ", attributes, "/>\n");
  }

  void line(double x1, double y1, double x2, double y2) {
    write("<path d=\"M", x1, " ", y1, "L", x2, " ", y2, "\"/>\n");
  }

  /// `anchor` is start, middle or end.
  void label(double x, double y, double size, std::string_view what, std::string_view attributes = "",
             std::string_view anchor = "start") {
    write("<text x=\"", x, "\" y=\"", y, "\" font-size=\"", size, "\"");
    if (anchor != "start") {  // which it is by itself
      write(" text-anchor=\"", anchor, "\"");
    }
    write(attributes.empty() ? "" : " ", attributes, ">", what, "</text>\n");
  }

  /// In the size, colour and anchor of the group.
  void label(double x, double y, std::string_view what) {
    write("<text x=\"", x, "\" y=\"", y, "\">", what, "</text>\n");
  }

  /// Attributes that hold for all that is drawn until end_group().
  void group(std::string_view attributes) { write("<g ", attributes, ">\n"); }
  void end_group() { write("</g>\n"); }

  /// The image. It brings its background, since a page may be dark.
  std::string image(double height, std::string_view title) const {
    svg result;
    result.write("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\" height=\"", height,
                 "\" viewBox=\"0 0 ", width, " ", height,
                 "\" font-family=\"Helvetica,Arial,sans-serif\" fill=\"#222\">\n", "<title>", title, "</title>\n");
    result.box(0, 0, width, height, "fill=\"#fff\"");
    result.write(body_, "</svg>\n");
    return result.body_;
  }

 private:
  template <class... Parts>
  void write(Parts const&... parts) {
    (append(parts), ...);
  }
  void append(std::string_view part) { body_ += part; }
  void append(double value) {
    std::string digits = text("%.1f", value);
    if (digits.ends_with(".0")) {
      digits.resize(digits.size() - 2);
    }
    body_ += digits;
  }

  std::string body_;
};

}  // namespace explain
