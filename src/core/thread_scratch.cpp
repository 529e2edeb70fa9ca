#include "core/thread_scratch.hpp"

#include <pthread.h>

#include <new>

namespace gwrm {

void OfThread::keep(std::unique_ptr<OfThread> item) {
  // One key for all types: the system has a thousand, and of the first 32 a thread needs no memory. It is never
  // deleted, so that threads may end after the static objects have.
  static const pthread_key_t key = [] {
    pthread_key_t made;
    if (pthread_key_create(&made, [](void* last) { destroy_all(last); }) != 0) throw std::bad_alloc();
    return made;
  }();
  item->previous_ = static_cast<OfThread*>(pthread_getspecific(key));
  if (pthread_setspecific(key, item.get()) != 0) throw std::bad_alloc();
  item.release();  // NOLINT(bugprone-unused-return-value): the thread's from here on
}

void OfThread::destroy_all(void* last) noexcept {
  for (auto* item = static_cast<OfThread*>(last); item != nullptr;) {
    OfThread* const previous = item->previous_;
    delete item;
    item = previous;
  }
}

}  // namespace gwrm
