#include "core/version.hpp"

#include "core/have_cuda.hpp"

namespace gwrm {

std::string version() {
  return GWRM_VERSION;
}

std::string git_revision() {
  return GWRM_GIT_REVISION;
}

std::string build_description() {
#if GWRM_HAVE_CUDA
  return GWRM_BUILD ", with CUDA";
#else
  return GWRM_BUILD ", without CUDA";
#endif
}

}  // namespace gwrm
