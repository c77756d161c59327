// SPDX-License-Identifier: BSL-1.0
//! @file
//! Puts the parts together: for each type, the rungs in their order.

#include "policies.hpp"

namespace bench {

template <class... Rows>
constexpr bool measures_all(gemm::detail::kernel_rows<Rows...>) {
  return ((lists<typename Rows::policy>(element_rungs{}) || lists<typename Rows::policy>(tile_rungs{}) ||
           lists<typename Rows::policy>(pipelined_float_rungs{}) || lists<typename Rows::policy>(specialized_rungs{}) ||
           lists<typename Rows::policy>(fp16x3_rungs{}) || lists<typename Rows::policy>(tensor_rungs{}) ||
           lists<typename Rows::policy>(tf32_rungs{}) || lists<typename Rows::policy>(int8_rungs{}) ||
           lists<typename Rows::policy>(fp8_rungs{}) || Rows::policy::info.op == gemm::math_op::mma) &&
          ...);
}
static_assert(measures_all(gemm::detail::kernel_table{}), "every row of the table is measured");

std::vector<contender> contenders() {
  std::vector<contender> result;
  for (auto const& part : {contenders_of<element_rungs_float>(),
                           contenders_of<element_rungs_double>(),
                           contenders_of<element_rungs_narrow>(),
                           contenders_of<tile_rungs_float>(),
                           contenders_of<tile_rungs_double>(),
                           contenders_of<tile_rungs_narrow>(),
                           contenders_of<specialized_rungs_float>(),
                           contenders_of<pipelined_rungs_float>(),
                           contenders_of<pipelined_rungs_double>(),
                           contenders_of<pipelined_rungs_narrow>(),
                           contenders_of<pipelined_rungs_int8>(),
                           contenders_of<pipelined_rungs_mixed>(),
                           contenders_of<mma_rungs_narrow>(),
                           contenders_of<mma_tiles_narrow>(),
                           contenders_of<mma_rungs_tf32>(),
                           contenders_of<mma_rungs_double>(),
                           contenders_of<tensor_rungs_narrow>(),
                           contenders_of<tensor_rungs_tf32>(),
                           contenders_of<tensor_rungs_int8>(),
                           contenders_of<tensor_rungs_fp8>(),
                           contenders_of<tensor_rungs_fp8_to_float>(),
                           contenders_of<fp16x3_rungs_float>(),
                           prepacked_contenders()}) {
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

}  // namespace bench
