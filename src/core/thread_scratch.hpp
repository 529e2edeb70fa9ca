// What a thread keeps from call to call, its scratch space above all: one Value of each type, made when the thread asks
// for it first and destroyed when the thread ends. Name a type of your own, so that nobody else shares it:
//
//   struct Room : Buffer {};
//   double* room = thread_scratch<Room>().reserve(n);
//
// Instead of a thread_local with a destructor: libstdc++ and glibc end the process where a thread finds no memory to
// note such a destructor. Here that is std::bad_alloc, as where Value() itself finds none; the next call tries again.
// Cost: after a thread's first call, the load of a thread's pointer and a branch.
// At the end of the process: what the main thread and others that are alive have is left to the system, never
// destroyed, so that it may be used until the very end.
#pragma once

#include <memory>

namespace gwrm {

// Something that a thread owns, in the list of that thread.
class OfThread {
 public:
  OfThread() = default;
  virtual ~OfThread() = default;
  OfThread(const OfThread&) = delete;
  OfThread& operator=(const OfThread&) = delete;

  // Destroyed when the calling thread ends, the last one first. std::bad_alloc where that cannot be arranged.
  static void keep(std::unique_ptr<OfThread> item);

 private:
  static void destroy_all(void* last) noexcept;

  OfThread* previous_ = nullptr;
};

template <class Value>
Value& thread_scratch() {
  thread_local Value* own = nullptr;  // the only state of a thread: without a destructor
  if (own == nullptr) [[unlikely]] {
    struct Item final : OfThread {
      ~Item() override { own = nullptr; }  // by the thread itself
      Value value;
    };
    auto item = std::make_unique<Item>();
    Value* const value = &item->value;
    OfThread::keep(std::move(item));
    own = value;
  }
  return *own;
}

}  // namespace gwrm
