// Values by key, each computed once and kept as long as the program runs. Several threads may ask.
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
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Value>& value = known_[key];
    if (value == nullptr) value = std::make_shared<const Value>(compute());
    return value;
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<Key...>, std::shared_ptr<const Value>> known_;
};

}  // namespace gwrm
