#include "core/context.hpp"

#include "core/blas.hpp"
#include "core/devices.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/threads.hpp"

namespace gwrm {

#if GWRM_HAVE_CUDA
// Defined in context_cuda.cu: a stream and library handles on the device that find_device found.
std::shared_ptr<DeviceHandles> open_device();
#else
std::string find_device(std::string& why) {
  why = "this program was built without CUDA";
  return {};
}

static std::shared_ptr<DeviceHandles> open_device() {
  return nullptr;
}

int n_devices() {
  return 0;
}

void use_device(int) {}

std::uint64_t device_identity(int) {
  return 1;
}
#endif

bool built_with_cuda() {
#if GWRM_HAVE_CUDA
  return true;
#else
  return false;
#endif
}

namespace {

std::string cpu_name(int n_threads) {
  return "cpu (" + std::to_string(n_threads) + (n_threads == 1 ? " thread)" : " threads)");
}

}  // namespace

Context Context::without_device() const {
  Context context = *this;
  context.backend_ = Backend::cpu;
  context.device_ = nullptr;
  context.device_name_ = cpu_name(n_threads_);
  return context;
}

Context Context::single_threaded() const {
  Context context = *this;
  context.n_threads_ = 1;
  return context;
}

Context Context::of_one_thread() {
  Context context;
  context.device_name_ = cpu_name(1);
  return context;
}

Context Context::create(BackendChoice choice, int n_threads) {
  if (n_threads < 0) throw CaseError("the number of threads is negative (" + std::to_string(n_threads) + ")");
  Context context;
  context.n_threads_ = n_threads == 0 ? available_cores() : n_threads;
  set_loop_threads(context.n_threads_);
  set_blas_threads(context.n_threads_);
  context.device_name_ = cpu_name(context.n_threads_);
  if (choice == BackendChoice::cpu) return context;

  std::string why;
  const std::string device = find_device(why);
  if (device.empty()) {
    if (choice == BackendChoice::cuda) throw DeviceError("backend cuda: " + why);
    context.note_ = "running on the CPU: " + why;
    return context;
  }
  context.backend_ = Backend::cuda;
  context.device_required_ = choice == BackendChoice::cuda;
  context.device_name_ = device;
  context.device_ = open_device();
  return context;
}

}  // namespace gwrm
