// Exceptions of loops in OpenMP: one that leaves a parallel region ends the program. Whatever in a region may throw,
// and be it only for memory, goes through run(); behind the region rethrow() throws the first of them.
//
//   ThreadErrors errors;
//   #pragma omp parallel for
//   for (Index i = 0; i < n; ++i) errors.run([&] { work(i); });
//   errors.rethrow();
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace gwrm {

class ThreadErrors {
 public:
  // Once something was thrown the rest is left out.
  template <class Work>
  void run(Work&& work) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      std::forward<Work>(work)();
    } catch (...) {
      if (!failed_.exchange(true)) first_ = std::current_exception();
    }
  }
  // By one thread, when no other works any more.
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> failed_{false};
  std::exception_ptr first_;
};

}  // namespace gwrm
