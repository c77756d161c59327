// SPDX-License-Identifier: BSL-1.0
//! @file
//! Switching stacks: by hand on x86-64, by ucontext elsewhere.

#include "fiber.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu_device/device.hpp"
#include "sanitizers.hpp"

namespace cpu_device {
namespace {

// Instrumented frames are several times as large.
#if defined(CPU_DEVICE_ASAN) || defined(CPU_DEVICE_TSAN)
constexpr std::size_t stack_bytes = 512 * 1024;
#else
constexpr std::size_t stack_bytes = 128 * 1024;
#endif

// Which fiber a first switch leads to: `begin` cannot be passed an argument.
thread_local constinit fiber* starting = nullptr;

std::size_t page_bytes() {
  static std::size_t const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

#if !defined(CPU_DEVICE_UCONTEXT)
// void cpu_device_switch_stack(void** save, void* load): pushes what the calling convention says a function preserves,
// exchanges the stack pointers and pops the other side's. The floating-point control words are left alone, since no
// kernel changes them. The return leads where the other side called from, which is nearly always the same instruction,
// so that the processor predicts it.
extern "C" void cpu_device_switch_stack(void** save, void* load);
asm(R"(
.text
.globl cpu_device_switch_stack
.type cpu_device_switch_stack, @function
cpu_device_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cpu_device_switch_stack, . - cpu_device_switch_stack
)");
#endif

fiber::fiber() : logical_thread_(sanitizer::current_logical_thread()) {
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &stack_bottom_, &stack_bytes_);
  pthread_attr_destroy(&attributes);
}

fiber::fiber(void (*entry)()) : entry_(entry), stack_bytes_(stack_bytes) {
  mapping_ = mmap(nullptr, page_bytes() + stack_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED || mprotect(mapping_, page_bytes(), PROT_NONE) != 0) {
    fail("no memory for another stack of %zu bytes", stack_bytes);
  }
  stack_bottom_ = static_cast<char*>(mapping_) + page_bytes();
  logical_thread_ = sanitizer::create_logical_thread();
  prepare_first_switch();
}

fiber::~fiber() {
  if (mapping_ != nullptr) {
    sanitizer::destroy_logical_thread(logical_thread_);
    munmap(mapping_, page_bytes() + stack_bytes_);
  }
}

void fiber::begin() {
  sanitizer::end_stack_switch(nullptr);
  starting->entry_();
}

#if defined(CPU_DEVICE_UCONTEXT)

void fiber::prepare_first_switch() {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack_bottom_;
  context_.uc_stack.ss_size = stack_bytes_;
  context_.uc_link = nullptr;
  makecontext(&context_, &fiber::begin, 0);
}

#else

void fiber::prepare_first_switch() {
  // The same frame of every thread would lie at the same offset in a page, so in one set of the cache: spread them.
  static thread_local std::size_t created = 0;
  std::size_t const colour = created++ % 61 * 64;
  auto top = reinterpret_cast<void**>(static_cast<char*>(stack_bottom_) + stack_bytes_ - 64 - colour);
  *--top = nullptr;  // the return address of `begin`: ends a debugger's backtrace, and aligns the stack as a call does
  *--top = reinterpret_cast<void*>(&fiber::begin);
  for (int preserved_register = 0; preserved_register < 6; ++preserved_register) {
    *--top = nullptr;
  }
  stack_pointer_ = top;
}

#endif

void fiber::switch_to(fiber& next) {
  starting = &next;
  sanitizer::begin_stack_switch(&fake_stack_, next.stack_bottom_, next.stack_bytes_);
  sanitizer::switch_logical_thread(next.logical_thread_);
#if defined(CPU_DEVICE_UCONTEXT)
  swapcontext(&context_, &next.context_);
#else
  cpu_device_switch_stack(&stack_pointer_, next.stack_pointer_);
#endif
  sanitizer::end_stack_switch(fake_stack_);
}

}  // namespace cpu_device
