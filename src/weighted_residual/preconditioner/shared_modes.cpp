#include "weighted_residual/preconditioner/shared_modes.hpp"

#include "basis/time_modes.hpp"
#include "kernels/transform/tensor_transform.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"

namespace gwrm {

SharedModes::SharedModes(const WindowSystem& system)
    : forward_(BlockMatrix::unit(1)), backward_(BlockMatrix::unit(1)), precision_(averaged_precision(nullptr)) {
  const TimeBasis* time = system.discretisation().time();
  if (time == nullptr) return;
  const TimeModes& modes = time_modes(time->n_unknowns());
  n_times_ = time->n_unknowns();
  n_modes_ = modes.forward.rows() / 2;
  n_parts_ = 2;
  z_ = modes.eigenvalues;
  for (std::complex<double>& value : z_) value *= time->length() / 2.0;
  forward_ = BlockMatrix(modes.forward);
  backward_ = BlockMatrix(modes.backward);
  precision_ = averaged_precision(&modes);
}

SharedModes::SharedModes(double z)
    : z_{z}, forward_(BlockMatrix::unit(1)), backward_(BlockMatrix::unit(1)), precision_(Precision::double_complex) {}

void SharedModes::to_modes(const SharedVectors& vectors, int rank, std::span<const double> v,
                           std::span<double> by_modes) const {
  double* to = by_modes.data();
  for (std::size_t part = 0; part < vectors.parts().size(); ++part) {
    const Index n_lines = vectors.parts()[part].n_lines / n_times_;
    vectors.for_each_block(part, rank, [&](Index, Index place, Index width) {
      cpu::block_transform(v.data() + place, {n_times_, n_lines * width}, 0, forward_, to);
      to += n_parts_ * n_modes_ * n_lines * width;
    });
  }
}

void SharedModes::from_modes(const SharedVectors& vectors, int rank, std::span<const double> by_modes,
                             std::span<double> result) const {
  const double* from = by_modes.data();
  for (std::size_t part = 0; part < vectors.parts().size(); ++part) {
    const Index n_lines = vectors.parts()[part].n_lines / n_times_;
    vectors.for_each_block(part, rank, [&](Index, Index place, Index width) {
      cpu::block_transform(from, {n_parts_ * n_modes_, n_lines * width}, 0, backward_, result.data() + place);
      from += n_parts_ * n_modes_ * n_lines * width;
    });
  }
}

}  // namespace gwrm
