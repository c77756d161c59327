// SPDX-License-Identifier: BSL-1.0
//! @file
//! Forgets the plans of a test once it has ended: run() must not follow them in the tests after it.

#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <cstdint>

#include <gemm/tune/load.hpp>

namespace {

struct forget_plans : Catch::EventListenerBase {
  using EventListenerBase::EventListenerBase;

  /// After each section or generated value, which are tests of their own.
  void testCasePartialEnded(Catch::TestCaseStats const&, std::uint64_t) override { gemm::forget_tuning(); }
};

CATCH_REGISTER_LISTENER(forget_plans)

}  // namespace
