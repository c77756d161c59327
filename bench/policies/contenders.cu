// SPDX-License-Identifier: BSL-1.0
//! @file
//! Puts the lists of policies together.

#include "policies.hpp"

namespace bench {

std::vector<contender> contenders() {
  std::vector<contender> result;
  for (auto const& list :
       {contenders_of<element_rungs>(), contenders_of<tile_rungs>(), contenders_of<pipelined_rungs>()}) {
    result.insert(result.end(), list.begin(), list.end());
  }
  return result;
}

}  // namespace bench
