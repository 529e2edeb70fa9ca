#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/errors.hpp"
#include "kernels/transform/fourier_lines.hpp"
#include "kernels/transform/nonuniform_fourier.hpp"
#include "kernels/transform/nonuniform_spread.hpp"

namespace gwrm {

NonuniformGeometry::NonuniformGeometry(std::span<const Index> modes, double tolerance)
    : n_dimensions(static_cast<int>(modes.size())), kernel(tolerance) {
  if (modes.empty() || modes.size() > 3)
    throw ShapeError("non-uniform Fourier transform: " + std::to_string(modes.size()) + " dimensions, expected 1 to 3");
  if (!(tolerance >= 1e-14 && tolerance <= 0.1))
    throw ShapeError("non-uniform Fourier transform: the tolerance has to lie between 1e-14 and 0.1");
  for (std::size_t d = 0; d < modes.size(); ++d) {
    if (modes[d] < 1 || modes[d] > (Index{1} << 28))
      throw ShapeError("non-uniform Fourier transform: " + std::to_string(modes[d]) + " modes along a dimension");
    NonuniformAxis& axis = axes[3 - modes.size() + d];
    axis.n_modes = modes[d];
    axis.n_fine = smooth_length(std::max<Index>(2 * modes[d], 2 * kernel.width));
    axis.width = kernel.width;
    axis.is_used = true;
    axis.factors = kernel.transform(-(modes[d] / 2), modes[d], axis.n_fine);
    for (double& factor : axis.factors) factor = 1.0 / factor;
  }
}

NonuniformPlan::NonuniformPlan(std::span<const Index> modes, double tolerance) : geometry_(modes, tolerance) {
  for (std::size_t a = 0; a < 3; ++a) fourier_[a] = std::make_unique<FourierPlan>(geometry_.axes[a].n_fine);
  set_points(std::vector<std::span<const double>>(modes.size()), 1);  // none
}
NonuniformPlan::~NonuniformPlan() = default;
NonuniformPlan::NonuniformPlan(NonuniformPlan&&) noexcept = default;

void NonuniformPlan::set_points(std::span<const std::span<const double>> coordinates, int n_threads) {
  if (static_cast<int>(coordinates.size()) != geometry_.n_dimensions)
    throw ShapeError("non-uniform Fourier transform: " + std::to_string(coordinates.size()) + " lists of coordinates");
  for (const auto& list : coordinates) {
    if (list.size() != coordinates.front().size() || list.size() > std::numeric_limits<std::int32_t>::max())
      throw ShapeError("non-uniform Fourier transform: lists of coordinates of different lengths, or too long");
  }
  points_ = std::make_unique<NonuniformPoints>(geometry_, coordinates, n_threads, points_.get());
}

Index NonuniformPlan::n_points() const {
  return points_->size();
}

namespace cpu {
namespace {

using Complex = std::complex<double>;

// One axis of an array outer x n x inner goes from the fine grid to the modes, or back: of the grid's transform the
// modes wanted, with their factors; or the modes with their factors, zeros between, and their transform.
struct AxisStep {
  const NonuniformAxis& axis;
  Index outer, inner;
  int sign;
  bool to_modes;
};

void transform_axis(const FourierPlan& plan, const AxisStep& step, const Complex* in, Complex* out, double* workspace,
                    int n_threads) {
  const NonuniformAxis& axis = step.axis;
  const Index n_in = step.to_modes ? axis.n_fine : axis.n_modes, n_out = step.to_modes ? axis.n_modes : axis.n_fine;
  const Index n_lines = step.outer * step.inner, n_groups = (n_lines + kLanes - 1) / kLanes;
  const int lanes = n_lines == 1 ? 1 : kLanes;  // of one dimension there is one line
  const Index lowest = -(axis.n_modes / 2);
  const Index plane = plan.work_length() * lanes;
  const auto fine_position = [&](Index m) { return m + lowest < 0 ? m + lowest + axis.n_fine : m + lowest; };
#pragma omp parallel for num_threads(n_threads) schedule(static)
  for (Index group = 0; group < n_groups; ++group) {
    double* const own = workspace + omp_get_thread_num() * 4 * plane;
    const Planes x{own, own + plane}, scratch{own + 2 * plane, own + 3 * plane};
    const Index first = group * kLanes, count = std::min<Index>(kLanes, n_lines - first);
    Index from[kLanes], to[kLanes];
    for (Index l = 0; l < lanes; ++l) {
      const Index line = std::min(first + l, n_lines - 1);  // the last one again where there are no more
      from[l] = line / step.inner * n_in * step.inner + line % step.inner;
      to[l] = line / step.inner * n_out * step.inner + line % step.inner;
    }
    if (!step.to_modes) std::fill_n(own, 2 * plane, 0.0);
    for (Index k = 0; k < n_in; ++k) {
      const Index at = step.to_modes ? k : fine_position(k);
      const double factor = step.to_modes ? 1.0 : axis.factors[static_cast<std::size_t>(k)];
      for (Index l = 0; l < lanes; ++l) {
        const Complex value = in[from[l] + k * step.inner];
        x.re[at * lanes + l] = factor * value.real();
        x.im[at * lanes + l] = factor * value.imag();
      }
    }
    Planes result = step.sign < 0 ? fourier_lines(plan, lanes, x, scratch)
                                  : fourier_lines(plan, lanes, x.exchanged(), scratch.exchanged()).exchanged();
    for (Index k = 0; k < n_out; ++k) {
      const Index at = step.to_modes ? fine_position(k) : k;
      const double factor = step.to_modes ? axis.factors[static_cast<std::size_t>(k)] : 1.0;
      for (Index l = 0; l < count; ++l)
        out[to[l] + k * step.inner] = {factor * result.re[at * lanes + l], factor * result.im[at * lanes + l]};
    }
  }
}

// What the plan's workspace is divided into.
struct NonuniformScratch {
  Complex *grid, *between, *buffers;
  double* lines;
};

std::size_t between_size(const NonuniformGeometry& geometry) {
  const auto& axes = geometry.axes;
  return geometry.n_dimensions == 1 ? 0 : static_cast<std::size_t>(axes[0].n_fine * axes[1].n_fine * axes[2].n_modes);
}

std::size_t line_doubles(const NonuniformGeometry& geometry) {
  Index longest = 1;
  for (const NonuniformAxis& axis : geometry.axes) longest = std::max(longest, axis.n_fine);
  return static_cast<std::size_t>(4 * (geometry.n_dimensions == 1 ? 1 : kLanes) * longest);
}

NonuniformScratch divide(const NonuniformPlan& plan, Complex* workspace, int n_threads) {
  const NonuniformGeometry& geometry = plan.geometry();
  Complex* const between = workspace + geometry.n_fine();
  Complex* const buffers = between + between_size(geometry);
  return {workspace, between, buffers, reinterpret_cast<double*>(buffers + n_threads * plan.points().buffer_size())};
}

}  // namespace

std::size_t nonuniform_workspace(const NonuniformPlan& plan, int n_threads) {
  const NonuniformGeometry& geometry = plan.geometry();
  return static_cast<std::size_t>(geometry.n_fine()) + between_size(geometry) +
         static_cast<std::size_t>(n_threads) *
             (static_cast<std::size_t>(plan.points().buffer_size()) + line_doubles(geometry) / 2);
}

void nonuniform_type1(const NonuniformPlan& plan, int sign, const Complex* c, Complex* F, Complex* workspace,
                      int n_threads) {
  const NonuniformGeometry& geometry = plan.geometry();
  const auto& axes = geometry.axes;
  const NonuniformScratch parts = divide(plan, workspace, n_threads);
  spread(geometry, plan.points(), c, parts.grid, parts.buffers, n_threads);

  // The fastest axis first, so that the others have half as many lines each time.
  const Complex* in = parts.grid;
  for (std::size_t a = 3; a-- > 3 - at(geometry.n_dimensions);) {
    Index outer = 1, inner = 1;
    for (std::size_t b = 0; b < a; ++b) outer *= axes[b].n_fine;
    for (std::size_t b = a + 1; b < 3; ++b) inner *= axes[b].n_modes;
    const bool is_last = a == 3 - at(geometry.n_dimensions);
    Complex* const out = is_last ? F : in == parts.grid ? parts.between : parts.grid;
    transform_axis(plan.fourier(a), {axes[a], outer, inner, sign, true}, in, out, parts.lines, n_threads);
    in = out;
  }
}

void nonuniform_type2(const NonuniformPlan& plan, int sign, const Complex* F, Complex* c, Complex* workspace,
                      int n_threads) {
  const NonuniformGeometry& geometry = plan.geometry();
  const auto& axes = geometry.axes;
  const NonuniformScratch parts = divide(plan, workspace, n_threads);
  const Complex* in = F;
  for (std::size_t a = 3 - at(geometry.n_dimensions); a < 3; ++a) {
    Index outer = 1, inner = 1;
    for (std::size_t b = 0; b < a; ++b) outer *= axes[b].n_fine;
    for (std::size_t b = a + 1; b < 3; ++b) inner *= axes[b].n_modes;
    const std::size_t left = 2 - a;  // the last step writes to the grid, the one before it not there
    Complex* const out = left % 2 == 0 ? parts.grid : parts.between;
    transform_axis(plan.fourier(a), {axes[a], outer, inner, sign, false}, in, out, parts.lines, n_threads);
    in = out;
  }
  interpolate(geometry, plan.points(), parts.grid, c, parts.buffers, n_threads);
}

}  // namespace cpu
}  // namespace gwrm
