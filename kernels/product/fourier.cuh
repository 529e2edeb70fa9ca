// The ways of the Fourier variant; fourier_product_cuda.cu chooses between them.
//
// Contract: kernels/product/product_plan.hpp
#pragma once

#include "kernels/product/product_cuda.cuh"
#include "kernels/transform/fourier_length.hpp"

namespace gwrm::cuda {

// Own kernels, one dimension after the other: what fits into the shared memory of a block.
bool fourier_passes_serve(const Shape& shape);
template <typename Real>
ProductPlanPointer<Real> fourier_passes_product(const Context& context, const Shape& shape, Index batch);

// Own kernels for one dimension in two: longer series.
bool fourier_line_serves(Index n_coefficients);
template <typename Real>
ProductPlanPointer<Real> fourier_line_product(const Context& context, const Shape& shape, Index batch);

// cuFFT, up to three dimensions: everything else.
constexpr std::size_t kMaxLibraryRank = 3;
template <typename Real>
ProductPlanPointer<Real> fourier_library_product(const Context& context, const Shape& shape, Index batch);

// Shares of a sequence for its block: one short transform each in the step that has most of them.
int fourier_shares(const FourierLength& f, int n_sequences);

}  // namespace gwrm::cuda
