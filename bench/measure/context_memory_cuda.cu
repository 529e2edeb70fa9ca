#include "core/device_handles.cuh"

#include "bench/measure/context_memory.hpp"

namespace gwrm::cuda {

std::shared_ptr<void> device_memory(const Context&, std::size_t bytes) {
  auto buffer = std::make_shared<DeviceBuffer>();
  void* memory = buffer->reserve<char>(bytes + 1);  // never none
  return std::shared_ptr<void>(buffer, memory);
}

void to_device(const Context& context, void* device, const void* host, std::size_t bytes) {
  context.device()->upload(static_cast<char*>(device), static_cast<const char*>(host), bytes);
  GWRM_DEVICE(cudaStreamSynchronize(context.device()->stream));
}

void from_device(const Context& context, void* host, const void* device, std::size_t bytes) {
  context.device()->download(static_cast<char*>(host), static_cast<const char*>(device), bytes);
}

void copy_on_device(const Context& context, void* to, const void* from, std::size_t bytes) {
  GWRM_DEVICE(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, context.device()->stream));
}

}  // namespace gwrm::cuda
