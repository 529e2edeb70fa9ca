// Memory of a context's backend with what a vector holds: the heap on the CPU, device memory on a GPU.
#pragma once

#include <memory>
#include <vector>

#include "core/context.hpp"
#include "core/have_cuda.hpp"

namespace gwrm {

#if GWRM_HAVE_CUDA
namespace cuda {
std::shared_ptr<void> device_memory(const Context& context, std::size_t bytes);
// Behind everything on the stream; both return when the bytes are there.
void to_device(const Context& context, void* device, const void* host, std::size_t bytes);
void from_device(const Context& context, void* host, const void* device, std::size_t bytes);
// Between places of the device, without waiting.
void copy_on_device(const Context& context, void* to, const void* from, std::size_t bytes);
}  // namespace cuda
#endif

template <class T>
class ContextArray {
 public:
  ContextArray(const Context& context, std::size_t size) : context_(context), size_(size) {
#if GWRM_HAVE_CUDA
    if (context.backend() == Backend::cuda) {
      device_ = cuda::device_memory(context, size * sizeof(T));
      return;
    }
#endif
    host_.resize(size);
  }
  ContextArray(const Context& context, const std::vector<T>& values) : ContextArray(context, values.size()) {
    set(values);
  }

  void set(const std::vector<T>& values) {
#if GWRM_HAVE_CUDA
    if (device_) return cuda::to_device(context_, device_.get(), values.data(), size_ * sizeof(T));
#endif
    host_ = values;
  }
  std::vector<T> values() const {
    std::vector<T> result = host_;
#if GWRM_HAVE_CUDA
    if (device_) {
      result.resize(size_);
      cuda::from_device(context_, result.data(), device_.get(), size_ * sizeof(T));
    }
#endif
    return result;
  }
  T* data() {
    return device_ ? static_cast<T*>(device_.get()) : host_.data();
  }
  std::size_t size() const {
    return size_;
  }

 private:
  Context context_;
  std::size_t size_;
  std::vector<T> host_;
  std::shared_ptr<void> device_;
};

}  // namespace gwrm
