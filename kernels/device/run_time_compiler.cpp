#include "kernels/device/run_time_compiler.hpp"

#include "core/have_cuda.hpp"

#if !GWRM_HAVE_CUDA
namespace gwrm {

const std::string& run_time_compiler_missing() {
  static const std::string why = "this program was built without CUDA";
  return why;
}

}  // namespace gwrm
#endif
