// Values by key, each computed once and kept as long as the program runs. Several threads may ask: who wants a value
// that another is computing waits for it, who wants another one does not.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace gwrm {

template <class Value, class... Key>
class Remembered {
 public:
  template <class Compute>
  std::shared_ptr<const Value> get(const std::tuple<Key...>& key, Compute compute) {
    Entry& entry = entry_of(key);
    std::call_once(entry.once, [&] { entry.value = std::make_shared<const Value>(compute()); });
    return entry.value;
  }

 private:
  struct Entry {
    std::once_flag once;
    std::shared_ptr<const Value> value;
  };

  Entry& entry_of(const std::tuple<Key...>& key) {
    const std::lock_guard lock(mutex_);
    return known_[key];  // entries of a map stay where they are
  }

  std::mutex mutex_;
  std::map<std::tuple<Key...>, Entry> known_;
};

}  // namespace gwrm
