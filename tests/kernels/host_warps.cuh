// Device code run on the host, thread by thread: one block after the other, its threads as fibers that take turns at
// every exchange between lanes and at every barrier. Shows wrong indices and weights on a machine without a device;
// not races: a block's threads never run at the same time.
//
// The file that includes this includes the device code behind it, which must not use what is not defined here.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace gwrm::test {

struct Place {
  unsigned x = 0;
};

class HostBlocks {
 public:
  static constexpr unsigned kLanes = 32;

  // kernel() by every thread of every block.
  static void run(unsigned n_blocks, unsigned n_threads, const std::function<void()>& kernel);

  // The value that lane `from` of this warp has brought: an int, a double, two of them.
  template <class Value>
  static Value exchanged(Value value, unsigned from) {
    static_assert(sizeof(Value) <= kBytes && std::is_trivially_copyable_v<Value>);
    Warp& warp = self().warps_[self().thread_.x / kLanes];
    std::memcpy(warp.values[self().thread_.x % kLanes].data(), &value, sizeof(Value));
    wait(warp.barrier, kLanes);
    Value result;
    std::memcpy(&result, warp.values[from].data(), sizeof(Value));
    wait(warp.barrier, kLanes);
    return result;
  }
  static void wait_for_warp() { wait(self().warps_[self().thread_.x / kLanes].barrier, kLanes); }
  static void wait_for_block() { wait(self().block_barrier_, static_cast<unsigned>(self().fibers_.size())); }
  static unsigned lane() { return self().thread_.x % kLanes; }
  static Place& thread() { return self().thread_; }
  static Place& block() { return self().block_; }
  static Place& grid() { return self().grid_; }

 private:
  static constexpr std::size_t kBytes = 16;
  struct Barrier {
    unsigned arrived = 0, passed = 0;
  };
  struct Warp {
    Barrier barrier;
    std::array<std::array<char, kBytes>, kLanes> values{};
  };
  struct Fiber {
    static constexpr std::size_t kStack = std::size_t{1} << 17;
    ucontext_t context{};
    std::unique_ptr<char[]> stack{new char[kStack]};
    bool done = false;
  };

  static HostBlocks& self() {
    static HostBlocks blocks;
    return blocks;
  }
  static void wait(Barrier& barrier, unsigned count) {
    const unsigned before = barrier.passed;
    if (++barrier.arrived == count) {
      barrier.arrived = 0;
      ++barrier.passed;
      self().progress_ = true;
    }
    while (barrier.passed == before) swapcontext(&self().fibers_[self().thread_.x].context, &self().scheduler_);
  }
  static void begin() {
    HostBlocks& blocks = self();
    (*blocks.kernel_)();
    blocks.fibers_[blocks.thread_.x].done = true;
    blocks.progress_ = true;
  }

  Place thread_, block_, grid_;
  ucontext_t scheduler_{};
  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  Barrier block_barrier_;
  const std::function<void()>* kernel_ = nullptr;
  bool progress_ = false;
};

inline void HostBlocks::run(unsigned n_blocks, unsigned n_threads, const std::function<void()>& kernel) {
  HostBlocks& blocks = self();
  blocks.kernel_ = &kernel;
  blocks.grid_.x = n_blocks;
  blocks.fibers_ = std::vector<Fiber>(n_threads);
  for (blocks.block_.x = 0; blocks.block_.x < n_blocks; ++blocks.block_.x) {
    blocks.warps_.assign(n_threads / kLanes, {});
    blocks.block_barrier_ = {};
    for (Fiber& fiber : blocks.fibers_) {
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.get();
      fiber.context.uc_stack.ss_size = Fiber::kStack;
      fiber.context.uc_link = &blocks.scheduler_;
      fiber.done = false;
      makecontext(&fiber.context, &HostBlocks::begin, 0);
    }
    for (bool any = true; any;) {
      any = blocks.progress_ = false;
      for (blocks.thread_.x = 0; blocks.thread_.x < n_threads; ++blocks.thread_.x) {
        Fiber& fiber = blocks.fibers_[blocks.thread_.x];
        if (fiber.done) continue;
        swapcontext(&blocks.scheduler_, &fiber.context);
        any = any || !fiber.done;
      }
      if (any && !blocks.progress_) throw std::logic_error("threads wait for one another: a barrier some do not reach");
    }
  }
  blocks.fibers_.clear();
}

template <class Value>
Value of_lane(Value value, int from) {
  const bool exists = from >= 0 && from < static_cast<int>(HostBlocks::kLanes);
  return HostBlocks::exchanged(value, exists ? static_cast<unsigned>(from) : HostBlocks::lane());
}

}  // namespace gwrm::test

// What device code calls.
#define __device__
#define __host__
#define __shared__ static
#define threadIdx (::gwrm::test::HostBlocks::thread())
#define blockIdx (::gwrm::test::HostBlocks::block())
#define gridDim (::gwrm::test::HostBlocks::grid())
template <class Value>
Value __shfl_sync(unsigned, Value value, int lane) {
  return gwrm::test::of_lane(value, lane);
}
template <class Value>
Value __shfl_up_sync(unsigned, Value value, int distance) {
  return gwrm::test::of_lane(value, static_cast<int>(gwrm::test::HostBlocks::lane()) - distance);
}
template <class Value>
Value __shfl_down_sync(unsigned, Value value, int distance) {
  return gwrm::test::of_lane(value, static_cast<int>(gwrm::test::HostBlocks::lane()) + distance);
}
template <class Value>
Value __shfl_xor_sync(unsigned, Value value, int distance) {
  return gwrm::test::of_lane(value, static_cast<int>(gwrm::test::HostBlocks::lane()) ^ distance);
}
inline int __any_sync(unsigned mask, int condition) {
  for (int distance = 16; distance > 0; distance /= 2) condition |= __shfl_xor_sync(mask, condition, distance);
  return condition;
}
inline void __syncwarp() {
  gwrm::test::HostBlocks::wait_for_warp();
}
inline void __syncthreads() {
  gwrm::test::HostBlocks::wait_for_block();
}
template <class Value>
Value __ldcg(const Value* value) {
  return *value;
}
template <class Value>
Value __ldcs(const Value* value) {
  return *value;
}
template <class Value>
void __stcs(Value* to, Value value) {
  *to = value;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
struct double2 {
  double x, y;
};
inline void __threadfence() {}
inline unsigned atomicAdd(unsigned* value, unsigned more) {
  const unsigned before = *value;
  *value += more;
  return before;
}
