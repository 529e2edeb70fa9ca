// Where the work is done: the backend chosen for this run, and the device's handles behind it.
#pragma once

#include <memory>
#include <string>

namespace gwrm {

enum class Backend { cpu, cuda };
enum class BackendChoice { automatic, cpu, cuda };

// The device's stream and library handles; defined in context_cuda.cu, absent in a CPU build.
struct DeviceHandles;

class Context {
 public:
  // automatic: the device if there is a usable one, else the CPU, and `note()` says why.
  // cuda: DeviceError when there is no usable device or the program was built without CUDA.
  // Not before main, as in a variable of a file: our programs link libgomp from its archive, so that its own
  // constructors may come later. Then it keeps its data under a key of thread-local storage that belongs to someone
  // else (the CUDA driver and the address sanitizer have died of that).
  static Context create(BackendChoice choice, int n_threads = 0);

  // The CPU and one thread, for small work in passing; create() also tells the loops and the BLAS of the process how
  // many threads they have from now on.
  static Context of_one_thread();
  // The same for work that is itself one of several threads.
  Context single_threaded() const;
  // The same on the CPU: for work whose device version is not there.
  Context without_device() const;

  Backend backend() const { return backend_; }
  // The device was asked for by name: what cannot run there is an error, not a reason to take the CPU.
  bool device_required() const { return device_required_; }
  int n_threads() const { return n_threads_; }
  const std::string& device_name() const { return device_name_; }  // "cpu (2 threads)" or the GPU's name
  const std::string& note() const { return note_; }                // a line for the log, empty if nothing to say
  DeviceHandles* device() const { return device_.get(); }          // null on the CPU

 private:
  Backend backend_ = Backend::cpu;
  bool device_required_ = false;
  int n_threads_ = 1;
  std::string device_name_;
  std::string note_;
  std::shared_ptr<DeviceHandles> device_;
};

// True in a build with CUDA; such a build still runs where there is no device.
bool built_with_cuda();

// A usable device's name, or an empty string and the reason in `why`.
std::string find_device(std::string& why);

}  // namespace gwrm
