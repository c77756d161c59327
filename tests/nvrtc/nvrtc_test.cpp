// SPDX-License-Identifier: BSL-1.0
//! @file
//! NVRTC compiles the kernels, with no header but CUDA's and those of include/gemm. Needs no GPU.
//!
//!     nvrtc_test INCLUDE CUDA_INCLUDE families ARCHITECTURE SOURCE KERNEL...   the kernels of SOURCE
//!     nvrtc_test INCLUDE CUDA_INCLUDE headers ARCHITECTURE HEADER...           each header by itself
//!
//! KERNEL: the names of all kernels that the headers have; each must be among those of the families.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "../../examples/runtime_compiled/nvrtc.hpp"

namespace {

/// A kernel, whether it is for sm_90a alone here, and an instruction that its PTX must have.
struct family {
  std::string expression;
  bool needs_sm90a;
  char const* instruction;
};

std::string of_policy(std::string const& name, std::string const& problem) {
  return "test::" + name + "::kernel<test::" + name + ", test::" + problem + ", true>()";
}

std::vector<family> families() {
  return {{of_policy("naive", "of_floats"), false, "fma.rn.f32"},
          {of_policy("coalesced", "of_floats"), false, "fma.rn.f32"},
          {of_policy("shared_tile", "of_functor"), false, "st.shared"},
          {of_policy("block_tile_1d", "of_floats"), false, "st.shared"},
          {of_policy("block_tile_2d", "of_floats"), false, "st.shared"},
          {of_policy("vectorized", "of_floats"), false, "ld.shared.v4"},
          {of_policy("warp_tile", "of_floats"), false, "st.shared"},
          {of_policy("pipelined", "of_functor"), false, "cp.async.ca"},
          {of_policy("split_k", "of_floats"), false, "cp.async.cg"},
          {of_policy("skinny", "of_floats"), false, "shfl.sync"},
          {of_policy("outer_product", "of_floats"), false, "fma.rn.f32"},
          {of_policy("warp_per_product", "of_floats"), false, "fma.rn.f32"},
          {of_policy("block_scaled", "of_scaled_fp8"), false, "fma.rn.f32"},
          {of_policy("warp_mma", "of_bf16"), false, "mma.sync"},
          {of_policy("sm80_mma", "of_bf16"), false, "mma.sync"},
          {of_policy("sm80_mma", "of_half"), false, "mma.sync"},
          {of_policy("sm80_mma_tf32", "of_tf32"), false, "mma.sync"},
          {of_policy("sm80_mma_s8", "of_int8"), false, "mma.sync"},
          {of_policy("sm80_mma_f64", "of_doubles"), false, "mma.sync"},
          {of_policy("sm80_mma_fp8", "of_fp8"), true, "mma.sync"},
          {of_policy("bf16x6_mma", "of_floats"), false, "mma.sync"},
          {of_policy("sm90_simt_tma", "of_floats"), true, "cp.async.bulk.tensor"},
          {of_policy("persistent", "of_floats"), true, "cp.async.bulk.tensor"},
          {of_policy("sm90_wgmma", "of_bf16"), true, "wgmma.mma_async"},
          {of_policy("sm90_wgmma_tf32", "of_tf32"), true, "wgmma.mma_async"},
          {of_policy("sm90_wgmma_s8", "of_int8"), true, "wgmma.mma_async"},
          {of_policy("sm90_wgmma_fp8", "of_fp8"), true, "wgmma.mma_async"},
          {of_policy("sm90_wgmma_ping_pong", "of_bf16"), true, "wgmma.mma_async"},
          {of_policy("sm90_wgmma_16_rows", "of_bf16"), true, "wgmma.mma_async"},
          {of_policy("fp16x3", "of_floats"), true, "wgmma.mma_async"},
          {"gemm::detail::add_slices_kernel<test::of_floats>", false, "ld.global"},
          {"gemm::detail::repack_kernel<float, false, true>", false, "st.shared"},
          {"gemm::detail::zero_rest_kernel<unsigned, false>", false, "st.global"},
          {"gemm::detail::gather_rows_kernel<unsigned short>", false, "st.global"},
          {of_policy("sm80_mma", "of_ragged_rows"), false, "mma.sync"},
          {of_policy("sm80_mma", "of_experts"), false, "mma.sync"},
          {of_policy("sm90_wgmma", "of_ragged_rows"), true, "wgmma.mma_async"},
          {"gemm::detail::split_k_major_kernel<test::terms, true, 32>", false, "st.global"},
          {"gemm::detail::split_mn_major_kernel<test::terms, true>", false, "st.global"},
          {"gemm::detail::fp16x3_equilibrate_kernel<test::terms, gemm::detail::equilibration_step::split>", false,
           "st.global"}};
}

/// Whether there is a kernel, with this instruction; of machine code, whether there is one.
bool has_kernel(std::string_view code, std::string const& kernel, char const* instruction, bool is_ptx) {
  if (!is_ptx) {
    return code.find(".text." + kernel) != code.npos;
  }
  std::size_t const begin = code.find(".entry " + kernel + "(");
  return begin != code.npos &&
         code.substr(begin, code.find(".entry ", begin + 1) - begin).find(instruction) != code.npos;
}

int check_families(std::vector<std::string> const& options, std::string_view architecture, char const* path,
                   std::vector<std::string_view> const& required) {
  bool const sm90a = architecture.ends_with("_90a"), is_ptx = architecture.starts_with("compute_");
  std::ifstream file(path);
  std::string const source{std::istreambuf_iterator<char>(file), {}};
  std::vector<family> compiled;
  std::vector<std::string> expressions;
  for (family const& f : families()) {
    if (sm90a || !f.needs_sm90a) {
      compiled.push_back(f);
      expressions.push_back(f.expression);
    }
  }
  example::compilation const result = example::compile(source, expressions, options);
  if (!result.succeeded || (is_ptx && !result.log.empty())) {  // else ptxas says how it compiles what
    std::printf("%s\n", result.log.c_str());
    return 1;
  }
  int wrong = 0;
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    if (!has_kernel(result.code, result.kernels[i], compiled[i].instruction, is_ptx)) {
      std::printf("%s has no %s\n", compiled[i].expression.c_str(), compiled[i].instruction);
      ++wrong;
    }
  }
  // By its mangled name, which begins with its length.
  for (std::string_view const kernel : required) {
    std::string const mangled = "detail" + std::to_string(kernel.size()) + std::string(kernel) + "I";
    bool found = false;
    for (std::string const& name : result.kernels) {
      found = found || name.find(mangled) != name.npos;
    }
    if (!found) {
      std::printf("no family has %.*s\n", static_cast<int>(kernel.size()), kernel.data());
      ++wrong;
    }
  }
  std::printf("%zu kernels, %d mistakes\n", compiled.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

int check_headers(std::vector<std::string> const& options, std::vector<std::string_view> const& headers) {
  int wrong = 0;
  for (std::string_view const header : headers) {
    std::string const include = "#include <" + std::string(header) + ">\n";
    example::compilation const result = example::compile(include + include, {}, options);
    if (!result.succeeded || !result.log.empty()) {
      std::printf("%.*s:\n%s\n", static_cast<int>(header.size()), header.data(), result.log.c_str());
      ++wrong;
    }
  }
  std::printf("%zu headers, %d wrong\n", headers.size(), wrong);
  return wrong == 0 && !headers.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6) {
    return 2;
  }
  std::string const architecture = arguments[4];
  auto const options = example::nvrtc_options(arguments[1], arguments[2], architecture);
  std::vector<std::string_view> const rest(arguments + 5, arguments + count);
  if (std::string_view(arguments[3]) == "headers") {
    return check_headers(options, rest);
  }
  return check_families(options, architecture, arguments[5], {rest.begin() + 1, rest.end()});
}
