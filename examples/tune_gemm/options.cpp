// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads the command line of tune_gemm.

#include "options.hpp"

#include "../support/command_line.hpp"

namespace example {

std::optional<tune_arguments> read_tune_arguments(int count, char** values) {
  tune_arguments result;
  std::vector<std::string> shapes, files;
  CLI::App app("tune_gemm: the fastest policy for each shape\n", "tune_gemm");
  app.add_option("SHAPE", shapes, "MxNxK or MxNxKxBATCH: C of m x n, k deep, and how many of them; without any, a few");
  tools::add_list(app, "--shapes", "FILE", "shapes of a file as well; # begins a remark; may be repeated", files);
  tools::add_choice(app, "--type", result.type, {"f32", "tf32", "f64", "f16", "bf16", "i8", "e4m3"},
                    "of A, B and C: f32, tf32 with C in f32, f64, f16, bf16, i8 with C in int32, or e4m3 with C in "
                    "bf16 (f32)");
  tools::add_storage(app, result.storage);
  tools::add_text(app, "--cache", "FILE", "adds the plans to this cache, which run() can follow",
                  [&](std::string const& text) { result.cache = text; });
  tools::add_number(app, "--repetitions", result.repetitions, 1, 1000000, "samples of each candidate (9)");
  app.add_flag("--all", result.all, "prints all that was measured");
  if (!tools::parse(app, count, values)) {
    return {};
  }
  for (std::string const& file : files) {
    std::vector<tools::shape> const list = tools::read_shapes(file);
    result.shapes.insert(result.shapes.end(), list.begin(), list.end());
  }
  for (std::string const& text : shapes) {
    result.shapes.push_back(tools::parse_shape(text));
  }
  return result;
}

}  // namespace example
