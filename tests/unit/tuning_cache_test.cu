// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tuning caches: the text, the file, several writers at once, and how plans change what run() chooses. No kernel runs.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/tune/load.hpp>
#include <gemm/tune/write_cache.hpp>

#include "../support/device.hpp"
#include "../support/tuning_folder.hpp"

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using gemm::choice_source;
using gemm::col_major;
using gemm::row_major;
using gemm::detail::tuning_record;
using test::cache_of;
using test::record_of;

std::string const line =
    "gpu=A_GPU multiprocessors=7 in=half out=float storage=tn aligned=1 m=10 n=20 k=30 batch=2 policy=some<block<1,2>> "
    "slices=3 in_cluster=1 tail=0 nanoseconds=4000";

std::string with(std::string const& from, std::string const& to) {
  std::string changed = line;
  return changed.replace(changed.find(from), from.size(), to);
}

/// What is chosen for a float product of this size, without the memory for it.
gemm::choice choice_for(std::int64_t m, std::int64_t n, std::int64_t k) {
  float* const any = reinterpret_cast<float*>(256);
  return gemm::chosen(row_major(any, m, k), row_major(any, k, n), row_major(any + 64, m, n));
}

void load(std::string const& path, int plans) {
  gemm::tuning_report report;
  gemm::status const status = gemm::load_tuning(path, &report);
  INFO(status.message() << report.first_wrong);
  REQUIRE(status);
  CHECK(report.plans == plans);
  CHECK(report.ignored == 0);
}

}  // namespace

TEST_CASE("a record is the same after being printed and parsed", "[tune]") {
  tuning_record record;
  REQUIRE(gemm::detail::parse_record(line, record).empty());
  CHECK(record.gpu == "A_GPU");
  CHECK(record.problem.storage == "tn");
  CHECK(record.problem.batch == 2);
  CHECK(record.plan.policy == "some<block<1,2>>");
  CHECK(record.plan.slices == 3);
  CHECK(record.plan.in_cluster);
  CHECK_FALSE(record.plan.tail);
  CHECK(gemm::detail::print_record(record) == line);

  tuning_record tail, other;
  CHECK(gemm::detail::parse_record(with("tail=0", "tail=1"), tail).empty());
  CHECK(tail.plan.tail);
  CHECK(gemm::detail::parse_record(with(" slices=3", ""), other).empty());
  CHECK(other.plan.slices == 1);
  CHECK(gemm::detail::parse_record(with(" in_cluster=1", ""), other).empty());
  tuning_record turned;  // in another order
  CHECK(gemm::detail::parse_record("slices=3 " + with(" slices=3", ""), turned).empty());
  CHECK(gemm::detail::print_record(turned) == line);
}

TEST_CASE("a record may be of every element type and storage", "[tune]") {
  using namespace gemm::detail;
  tuning_record record;
  for (std::string_view const type :
       {gemm::element_traits<float>::name, gemm::element_traits<gemm::tf32>::name, gemm::element_traits<double>::name,
        gemm::element_traits<__half>::name, gemm::element_traits<__nv_bfloat16>::name,
        gemm::element_traits<std::int8_t>::name, gemm::element_traits<std::int32_t>::name}) {
    CHECK(parse_record(with("in=half", "in=" + std::string(type)), record).empty());
    CHECK(record.problem.input == type);
    CHECK(parse_record(with("out=float", "out=" + std::string(type)), record).empty());
  }
  for (std::string_view const storage :
       {storage_name<gemm::nn>, storage_name<gemm::nt>, storage_name<gemm::tn>, storage_name<gemm::tt>}) {
    CHECK(parse_record(with("storage=tn", "storage=" + std::string(storage)), record).empty());
    CHECK(record.problem.storage == storage);
  }
}

TEST_CASE("what is wrong with a line is said", "[tune]") {
  auto const wrong = [](std::string const& text) {
    tuning_record record;
    return gemm::detail::parse_record(text, record);
  };
  CHECK(wrong(with(" m=10", "")) == "the field m is missing");
  CHECK(wrong(with("m=10", "m=0")) == "the value of m=0 is not legal");
  CHECK(wrong(with("m=10", "m=1e3")) == "the value of m=1e3 is not legal");
  CHECK(wrong(with("m=10", "m=99999999999999999999")) == "the value of m=99999999999999999999 is not legal");
  CHECK(wrong(with("in=half", "in=quarter")) == "the value of in=quarter is not legal");
  CHECK(wrong(with("aligned=1", "aligned=yes")) == "the value of aligned=yes is not legal");
  CHECK(wrong(line + " m=10") == "the field m is there twice");
  CHECK(wrong(line + " shape=odd") == "the field shape is not known");
  CHECK(wrong(line + " ") == "");
  CHECK(wrong(with(" n=20", "  n=20")) == "the field  is not known");
  CHECK(wrong(line.substr(0, line.find(" nanoseconds"))) == "the field nanoseconds is missing");
  CHECK(wrong("nonsense") == "the field nonsense is not known");
  CHECK(wrong("m") == "the value of m is not legal");
}

TEST_CASE("what is no cache of this version is refused, and left as it is", "[tune]") {
  test::tuning_folder const folder;
  auto const refused = [&](std::string const& path) {
    gemm::status const read = gemm::load_tuning(path);
    CHECK(read.code() == gemm::status_code::file_failure);
    return std::string(read.message());
  };
  for (std::string const text : {"\n", "gemm-tuning 2\n", "gemm-tuning 1", "gemm-tuning 10\n", "#include\n"}) {
    std::string const path = folder.write(text);
    std::string const message = path + " begins with \"" + text.substr(0, text.find('\n')) +
                                "\", needs a line \"gemm-tuning 1\" to be a tuning cache";
    CHECK(refused(path) == message.substr(0, 255));
    gemm::status const written = gemm::detail::write_cache(path, record_of(8, 8, 8, "naive_32x4"));
    CHECK(written.code() == gemm::status_code::file_failure);
    CHECK(std::string(gemm::detail::check_cache(path).message()) == written.message());
    CHECK(folder.read() == text);
  }
  CHECK_THAT(refused(folder.path("none")),
             ContainsSubstring("cannot read the tuning cache") && ContainsSubstring("No such file or directory"));
  CHECK_THAT(refused(folder.path("")), ContainsSubstring("Is a directory"));
  gemm::status const nowhere = gemm::detail::write_cache(folder.path("no/folder"), record_of(8, 8, 8, "naive_32x4"));
  CHECK_THAT(nowhere.message(), ContainsSubstring("cannot lock the tuning cache"));
}

TEST_CASE("what a cache has besides is skipped, counted and kept", "[tune]") {
  test::tuning_folder const folder;
  tuning_record foreign = record_of(64, 64, 64, "pipelined_32x64x32"), fewer = foreign;
  foreign.gpu = "Another";
  fewer.multiprocessors += 1;
  tuning_record const mine = record_of(512, 512, 512, "pipelined_32x64x32");
  std::string const text = cache_of(foreign, fewer, mine) + "\n# a remark\nnonsense\n" + line + " later=1\n";
  std::string const path = folder.write(text + line.substr(0, 90));  // somebody has cut the last line off
  gemm::tuning_report report;
  REQUIRE(gemm::load_tuning(path, &report));
  CHECK(report.path == path);
  CHECK(report.plans == 1);
  CHECK(report.foreign == 2);
  CHECK(report.ignored == 3);
  CHECK(report.first_wrong == "line 7: the field nonsense is not known");
  CHECK(choice_for(512, 512, 512).policy == "pipelined_32x64x32");
  CHECK(choice_for(64, 64, 64).source == choice_source::model);

  tuning_record better = mine;
  better.plan.policy = "pipelined_48x128x16";
  REQUIRE(gemm::detail::write_cache(path, better));
  std::string const rest = text.substr(text.find("\n\n"));
  CHECK(folder.read() == cache_of(foreign, fewer).substr(0, cache_of(foreign, fewer).size() - 1) + rest +
                             gemm::detail::print_record(better) + "\n");
  // Of the same problem on other GPUs, too.
  std::string const before = folder.read();
  tuning_record const own = record_of(64, 64, 64, "pipelined_48x128x16");
  REQUIRE(gemm::detail::write_cache(path, own));
  CHECK(folder.read() == before + gemm::detail::print_record(own) + "\n");
}

TEST_CASE("a plan is for one device, and costs memory once", "[tune]") {
  test::tuning_folder const folder;
  tuning_record r = record_of(1, 8, 8, "pipelined_32x64x32");
  auto const bucket = [&](int device) { return gemm::detail::plan_table::bucket_of(device, r.problem); };
  while (r.problem.m < 1000000 && bucket(0) != bucket(1)) {  // or it is not found because it is elsewhere
    ++r.problem.m;
  }
  REQUIRE(bucket(0) == bucket(1));
  gemm::detail::add_plan(1, gemm::detail::plan_table::any_code, r.problem, r.plan);
  CHECK(gemm::detail::tuned_plans.find(0, 1, r.problem) == nullptr);
  CHECK(gemm::detail::tuned_plans.find(1, 1, r.problem) != nullptr);
  auto const* const newest = gemm::detail::newest_plan;
  gemm::detail::add_plan(1, gemm::detail::plan_table::any_code, r.problem, r.plan);
  CHECK(gemm::detail::newest_plan == newest);
}

TEST_CASE("plans are followed where they can be, and the choice says so", "[tune][choice]") {
  test::tuning_folder const folder;
  tuning_record split = record_of(512, 512, 4096, "pipelined_32x64x32");
  split.plan.slices = 4;
  tuning_record impossible = record_of(512, 512, 48, "pipelined_32x64x32");
  impossible.plan.slices = 7;  // of 2 steps
  tuning_record too_many = record_of(512, 512, 2048, "pipelined_32x64x32"), no_tail = too_many;
  too_many.plan.slices = 16;
  no_tail.problem.k = 1024;
  no_tail.plan.slices = 4;
  no_tail.plan.tail = true;
  too_many.plan.in_cluster = true;
  load(folder.write(cache_of(record_of(512, 512, 512, "pipelined_32x64x32"), split, impossible, too_many, no_tail,
                             record_of(640, 640, 640, "not_compiled_8x8"), record_of(64, 64, 64, "skinny_1x32x512"),
                             record_of(768, 768, 768, "naive_32x4"))),
       8);

  gemm::choice const plain = choice_for(512, 512, 512);
  CHECK(plain.policy == "pipelined_32x64x32");
  CHECK(plain.source == choice_source::tuned);
  CHECK(plain.seconds == 5e-6);
  CHECK(plain.slices == 1);
  CHECK(choice_for(512, 512, 4096).slices == 4);
  CHECK(choice_for(512, 512, 4096).source == choice_source::tuned);

  // Slices that k has not, or no cluster, or that are for no last tiles, a policy that does not exist, one that is not
  // eligible, one that run() does not choose.
  for (std::int64_t const k : {48, 2048, 1024, 640, 64, 768}) {
    std::int64_t const n = k == 48 || k > 1000 ? 512 : k;
    CHECK(choice_for(n, n, k).source == choice_source::model);
    CHECK(!choice_for(n, n, k).policy.empty());
  }
  // Another problem: its size, batch, storage, type or alignment.
  float* const any = reinterpret_cast<float*>(256);
  auto const x = row_major(any, 512, 512);
  auto const source = [](auto const& a, auto const& b, auto const& c) {
    auto own = c;  // a C of its own, aligned alike
    own.data += 256 / sizeof(*own.data);
    return gemm::chosen(a, b, own).source;
  };
  CHECK(source(x, x, x) == choice_source::tuned);
  CHECK(choice_for(512, 512, 513).source == choice_source::model);
  CHECK(source(gemm::batched(x, 2), gemm::batched(x, 2), gemm::batched(x, 2)) == choice_source::model);
  CHECK(source(x, col_major(any, 512, 512), x) == choice_source::model);
  CHECK(source(row_major(any + 1, 512, 512), x, x) == choice_source::model);
  CHECK(source(row_major(any, 512, 512, 514), x, x) == choice_source::model);
  CHECK(source(row_major(any, 512, 512, 516), x, row_major(any + 1, 512, 512, 515)) == choice_source::tuned);
  auto const y = row_major(reinterpret_cast<double*>(any), 512, 512);
  CHECK(source(y, y, y) == choice_source::model);
  CHECK(source(x, x, row_major(reinterpret_cast<__half*>(any), 512, 512)) == choice_source::model);
  // The same problem: a column-major C is the row-major product of the transposed operands.
  auto const z = col_major(any, 512, 512);
  CHECK(source(z, z, z) == choice_source::tuned);

  gemm::forget_tuning();
  CHECK(source(x, x, x) == choice_source::model);
}

TEST_CASE("a plan for clusters is followed where there are some, not for the last tiles alone", "[tune][choice]") {
  bool const tail = GENERATE(false, true);
  test::tuning_folder const folder;
  tuning_record in_clusters = record_of(896, 896, 896, "sm90_simt_tma_64x64x32");
  in_clusters.plan.slices = 2;
  in_clusters.plan.in_cluster = true;
  in_clusters.plan.tail = tail;
  load(folder.write(cache_of(in_clusters)), 1);
  bool const followed = choice_for(896, 896, 896).source == choice_source::tuned;
  CHECK(followed == (!tail && gemm::detail::current_code().tma));
}

TEST_CASE("a plan's slices count for the workspace, and give way to one that is too small", "[tune][choice]") {
  test::tuning_folder const folder;
  tuning_record split = record_of(512, 512, 4096, "pipelined_32x64x32");
  split.plan.slices = 8;
  load(folder.write(cache_of(split)), 1);
  float* const any = reinterpret_cast<float*>(256);
  auto const a = row_major(any, 512, 4096), b = row_major(any, 4096, 512), c = row_major(any + 64, 512, 512);
  std::size_t const needed = std::size_t{8} * 512 * 512 * sizeof(float);
  CHECK(gemm::workspace_size(a, b, c) == needed);
  CHECK(gemm::can_run(a, b, c, {.workspace = {.data = any, .bytes = needed}}));
  CHECK(gemm::can_run(a, b, c, {.workspace = {.data = any, .bytes = needed - 1}}));
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("a plan that the device cannot launch gives way to one that it can", "[tune][choice]") {
  test::tuning_folder const folder;
  tuning_record split = record_of(64, 64, 1024, "sm90_simt_tma_16x64x32");
  split.plan.slices = 4;
  split.plan.in_cluster = true;
  load(folder.write(cache_of(record_of(64, 64, 64, "sm90_simt_tma_64x64x32"), split)), 2);
  CHECK(choice_for(64, 64, 64).source == choice_source::tuned);
  CHECK(choice_for(64, 64, 1024).in_cluster);
  CHECK(choice_for(64, 64, 1024).source == choice_source::tuned);
  {
    cpu_device::scoped_options with;
    with->device.shared_memory_per_block_optin = 49152;
    CHECK(choice_for(64, 64, 64).source == choice_source::model);
    CHECK(choice_for(64, 64, 64).policy.starts_with("pipelined"));
  }
  cpu_device::scoped_options with;
  with->device.compute_capability_major = 8;  // the same name and multiprocessors, without clusters
  CHECK(choice_for(64, 64, 1024).source == choice_source::model);
  CHECK_FALSE(choice_for(64, 64, 1024).policy.empty());
}
#endif

TEST_CASE("of two plans for a problem the later one holds", "[tune]") {
  test::tuning_folder const folder;
  tuning_record const first = record_of(512, 512, 512, "pipelined_32x64x32"),
                      second = record_of(512, 512, 512, "pipelined_48x128x16");
  load(folder.write(cache_of(first, second)), 2);
  CHECK(choice_for(512, 512, 512).policy == "pipelined_48x128x16");
  load(folder.write(cache_of(first)), 1);
  CHECK(choice_for(512, 512, 512).policy == "pipelined_32x64x32");
}

TEST_CASE("the environment names the cache where the call does not", "[tune]") {
  test::tuning_folder const folder;
  REQUIRE(unsetenv("GEMM_TUNING_CACHE") == 0);
  gemm::status const none = gemm::load_tuning();
  CHECK(none.code() == gemm::status_code::invalid_argument);
  CHECK_THAT(none.message(),
             Equals("the path of the tuning cache is empty, needs one, or GEMM_TUNING_CACHE in the environment"));
  std::string const path = folder.write(cache_of(record_of(512, 512, 512, "pipelined_32x64x32")));
  REQUIRE(setenv("GEMM_TUNING_CACHE", path.c_str(), 1) == 0);
  load("", 1);
  CHECK(choice_for(512, 512, 512).source == choice_source::tuned);
  load(folder.write(cache_of(), "other"), 0);
  REQUIRE(unsetenv("GEMM_TUNING_CACHE") == 0);
}

TEST_CASE("processes that write one cache lose nothing, and readers see whole files", "[tune]") {
  test::tuning_folder const folder;
  constexpr int processes = 3, records = 8;
  std::string const path = folder.write(cache_of());
  std::vector<tuning_record> to_write;
  for (int i = 0; i < processes * records; ++i) {
    to_write.push_back(record_of(i + 1, 8, 8, "pipelined_32x64x32"));
  }
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    children.push_back(fork());
    if (children.back() == 0) {
      bool written = true;
      for (int i = 0; i < records; ++i) {
        written = gemm::detail::write_cache(path, to_write[process * records + i]) && written;
      }
      _exit(written ? 0 : 1);
    }
    REQUIRE(children.back() > 0);
  }
  gemm::tuning_report report;
  for (pid_t const child : children) {
    int result = 0;
    while (waitpid(child, &result, WNOHANG) == 0) {
      REQUIRE(gemm::load_tuning(path, &report));
      REQUIRE(report.ignored == 0);
    }
    CHECK(result == 0);
  }
  load(path, processes * records);
}

TEST_CASE("threads may ask while plans are added", "[tune]") {
  test::tuning_folder const folder;
  constexpr std::string_view added = "pipelined_48x128x16";  // which the model does not choose
  auto const give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<int> following = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (std::chrono::steady_clock::now() < give_up) {
        if (choice_for(256, 256, 256).policy == added) {
          ++following;
          return;
        }
      }
    });
  }
  for (std::int64_t k = 1; k <= 256; ++k) {
    tuning_record const r = record_of(256, 256, k, added.data());
    gemm::detail::add_plan(0, gemm::detail::plan_table::any_code, r.problem, r.plan);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(following == 2);
  CHECK(choice_for(256, 256, 255).source == choice_source::model);  // its lines are not aligned
}
