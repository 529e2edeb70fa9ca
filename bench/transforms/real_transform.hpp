// cuFFT from real lines to spectra, for the bench of cosine transforms: operations on device memory, launched on the
// context's stream.
#pragma once

#include <cstddef>
#include <memory>

#include "core/array.hpp"
#include "core/context.hpp"

namespace gwrm::bench::cuda {

class RealTransform {
 public:
  RealTransform(const Context& context, Index length, Index batch);
  ~RealTransform();
  RealTransform(const RealTransform&) = delete;
  RealTransform& operator=(const RealTransform&) = delete;

  std::size_t workspace_bytes() const;
  // spectra: batch x (length / 2 + 1) complex numbers, of exp(-2 pi i j k / length).
  void run(const double* x, double* spectra, void* workspace) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace gwrm::bench::cuda
