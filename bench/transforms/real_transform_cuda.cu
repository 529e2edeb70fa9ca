#include "bench/transforms/real_transform.hpp"
#include "kernels/device/fourier_library.cuh"

namespace gwrm::bench::cuda {

using gwrm::cuda::FourierLibraryPlan;

struct RealTransform::Library {
  explicit Library(const Context& context, int length, Index batch)
      : plan(CUFFT_D2Z, 1, &length, batch, context.device()->stream) {}
  FourierLibraryPlan plan;
};

RealTransform::RealTransform(const Context& context, Index length, Index batch)
    : library_(std::make_unique<Library>(context, static_cast<int>(length), batch)) {}
RealTransform::~RealTransform() = default;

std::size_t RealTransform::workspace_bytes() const {
  return library_->plan.bytes();
}
void RealTransform::run(const double* x, double* spectra, void* workspace) const {
  // cuFFT takes no constant input, and leaves it as it is out of place.
  GWRM_FFT(cufftExecD2Z(library_->plan.with_memory(workspace), const_cast<double*>(x),
                        reinterpret_cast<cufftDoubleComplex*>(spectra)));
}

}  // namespace gwrm::bench::cuda
