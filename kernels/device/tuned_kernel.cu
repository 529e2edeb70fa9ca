#include "kernels/device/tuned_kernel.cuh"
//
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "core/errors.hpp"
#include "kernels/device/device_cache.hpp"
#include "kernels/device/device_stopwatch.cuh"
#include "kernels/device/run_time_compiler.hpp"

namespace gwrm {

bool worth_tuning(double n_numbers) {
  const char* asked = std::getenv("GWRM_TUNE");
  return n_numbers >= 0x1p22 && !(asked != nullptr && std::string(asked) == "off") &&
         run_time_compiler_missing().empty();
}

namespace cuda {
namespace {

constexpr double kTrialMilliseconds = 20.0;
constexpr int kFewestRuns = 3;

void run(const DeviceProgram& program, const KernelChoice& choice, cudaStream_t stream, long long n_items,
         void** arguments) {
  const auto n_blocks = static_cast<unsigned>((n_items + choice.items_of_block - 1) / choice.items_of_block);
  const void* kernel = program.kernel("kernel");
  if (choice.shared_bytes > 48 * 1024)
    GWRM_DEVICE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, choice.shared_bytes));
  GWRM_DEVICE(cudaLaunchKernel(kernel, dim3(n_blocks), dim3(static_cast<unsigned>(choice.n_threads)), arguments,
                               static_cast<std::size_t>(choice.shared_bytes), stream));
}

// Milliseconds of the fastest run.
double trial(const DeviceHandles& handles, const DeviceProgram& program, const KernelChoice& choice, long long n_items,
             void** arguments) {
  run(program, choice, handles.stream, n_items, arguments);  // loads the code
  GWRM_DEVICE(cudaStreamSynchronize(handles.stream));
  DeviceStopwatch watch(handles);
  double fastest = std::numeric_limits<double>::infinity(), all = 0.0;
  for (int k = 0; k < kFewestRuns || all < kTrialMilliseconds; ++k) {
    watch.start();
    run(program, choice, handles.stream, n_items, arguments);
    watch.stop();
    fastest = std::min(fastest, watch.milliseconds());
    all += std::max(watch.milliseconds(), 1e-3);
  }
  return fastest;
}

std::string name_of_device() {
  int device = 0;
  cudaDeviceProp properties{};
  GWRM_DEVICE(cudaGetDevice(&device));
  GWRM_DEVICE(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

}  // namespace

TunedKernel::TunedKernel(const DeviceHandles& handles, const std::vector<KernelChoice>& choices,
                         const std::string& question, long long n_items, void** arguments) {
  std::string whole = name_of_device() + "\n" + question;
  for (const KernelChoice& choice : choices)
    whole += "\n" + std::to_string(choice.n_threads) + " threads\n" + choice.source;
  const std::string kept = kept_answer("choice", whole);
  if (kept.size() == 1 && static_cast<std::size_t>(kept[0] - '0') < choices.size()) {
    choice_ = static_cast<std::size_t>(kept[0] - '0');
    program_ = device_program(choices[choice_].source, question);
  } else {
    double fastest = std::numeric_limits<double>::infinity();
    std::optional<DeviceError> failed;
    for (std::size_t k = 0; k < std::min(choices.size(), kMostChoices); ++k) {
      try {
        std::shared_ptr<const DeviceProgram> program = device_program(choices[k].source, question);
        const double time = trial(handles, *program, choices[k], n_items, arguments);
        if (time >= fastest) continue;
        fastest = time;
        choice_ = k;
        program_ = program;
      } catch (const DeviceError& error) {
        failed = error;
      }
    }
    if (program_ == nullptr) throw failed ? *failed : DeviceError(question + ": no kernel to choose from");
    keep_answer("choice", whole, std::string(1, static_cast<char>('0' + choice_)));
  }
  chosen_ = choices[choice_];
}

void TunedKernel::launch(cudaStream_t stream, long long n_items, void** arguments) const {
  run(*program_, chosen_, stream, n_items, arguments);
}

}  // namespace cuda
}  // namespace gwrm
