#include "kernels/device/device_pool.cuh"

namespace gwrm::cuda {
namespace {

constexpr std::size_t kGrain = 1024;  // doubles: sizes that differ by less share memory

}  // namespace

DeviceArray::~DeviceArray() {
  if (pool_ != nullptr) pool_->slots_[slot_].in_use = false;
}

DeviceArray DevicePool::take(std::size_t count) {
  const std::size_t wanted = (count / kGrain + 1) * kGrain;
  // The smallest that fits, if it wastes no more than half of itself.
  std::size_t best = slots_.size();
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (!slots_[i].in_use && slots_[i].capacity >= wanted && slots_[i].capacity <= 2 * wanted &&
        (best == slots_.size() || slots_[i].capacity < slots_[best].capacity))
      best = i;
  if (best == slots_.size()) {
    slots_.emplace_back();
    slots_.back().buffer.reserve<double>(wanted);
    slots_.back().capacity = wanted;
    bytes_ += wanted * sizeof(double);
  }
  Slot& slot = slots_[best];
  slot.in_use = true;
  DeviceArray array;
  array.pool_ = this;
  array.slot_ = best;
  array.size_ = count;
  array.data_ = slot.buffer.as<double>();
  return array;
}

}  // namespace gwrm::cuda
