// What is known of the device's solver without a device.
#include "weighted_residual/device/device_solver.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "basis/time_modes.hpp"
#include "core/errors.hpp"
#include "core/have_cuda.hpp"
#include "core/log.hpp"
#include "core/parallel_loop.hpp"
#include "core/threads.hpp"
#include "weighted_residual/device/wavenumber_line_tables.hpp"
#include "weighted_residual/device/wavenumber_tables.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"
#include "weighted_residual/window/averaged_rows.hpp"

namespace gwrm {
namespace {

// An iteration keeps two vectors (solver/gmres.hpp).
double krylov_vectors(SpatialMethod method) {
  return 2.0 * (method == SpatialMethod::saddle ? kMaxSaddleIterations : kMaxKrylovIterations) + 2.0;
}

constexpr double kNewtonVectors = 13;  // three of them for the recorded iteration
constexpr double kInverting = 3e8;     // bytes beside the inverses while they are made

struct WavenumberBlockSizes {
  int bounded_axis = -1;   // of space; -1: all are Fourier's
  double unknowns = 0.0;   // along it, of all fields
  double n_vectors = 1.0;  // of wavenumbers
};

WavenumberBlockSizes wavenumber_block_sizes(const Model& model, const std::vector<AxisDescription>& subdomains) {
  WavenumberBlockSizes sizes;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (!model.is_modal(axis)) continue;
    if (subdomains[axis].basis == kFourier)
      sizes.n_vectors *= static_cast<double>(subdomains[axis].n_coefficients());
    else
      sizes.bounded_axis = axis;
  }
  for (const FieldModel& field : model.fields)
    sizes.unknowns += sizes.bounded_axis >= 0 && field.depends_on(sizes.bounded_axis)
                          ? static_cast<double>(subdomains[sizes.bounded_axis].n_coefficients())
                          : 1.0;
  return sizes;
}

// Of DeviceLineSolver, without a mirror, which only the coefficients show. Beside inverses that stay for the next
// window there are those of one z, for multipliers at the end of this one.
double inverse_bytes(const Model& model, const std::vector<AxisDescription>& subdomains) {
  const WavenumberBlockSizes sizes = wavenumber_block_sizes(model, subdomains);
  if (sizes.bounded_axis < 0) return 0.0;
  const int time = model.time_axis(), n_modes = time < 0 ? 1 : (subdomains[time].degree + 1) / 2;
  const int at_end = time >= 0 && !model.multipliers.empty() && model.autonomous_jacobian ? 1 : 0;
  return 16.0 * (n_modes + at_end) * sizes.n_vectors * sizes.unknowns * sizes.unknowns + kInverting;
}

}  // namespace

#if GWRM_HAVE_CUDA
std::unique_ptr<DeviceSolver> make_device_solver(const Context& device, double memory_limit) {
  return cuda::make_device_solver(device, memory_limit);
}
#else
std::unique_ptr<DeviceSolver> make_device_solver(const Context&, double) {
  throw DeviceError("this program was built without CUDA");
}
#endif

bool is_zero(const std::vector<double>& x) {
  constexpr Index kPiece = Index{1} << 20;
  const Index n = std::ssize(x), n_pieces = (n + kPiece - 1) / kPiece;
  std::atomic<bool> zero = true;
  for_each_index_dynamically(n_pieces, n_pieces > 1, loop_threads(), [&](Index i) {
    const auto begin = x.begin() + i * kPiece, end = x.begin() + std::min(n, (i + 1) * kPiece);
    if (zero && !std::all_of(begin, end, [](double value) { return value == 0.0; })) zero = false;
  });
  return zero;
}

void say_that_equations_are_interpreted(const std::string& why) {
  static std::once_flag said;
  std::call_once(said, [&] { logger().warn("{}: the device interprets the equations, which takes longer", why); });
}

std::string device_unsupported_reason(const Model& model, const SystemPlan& plan,
                                      const std::vector<AxisDescription>& subdomains, SpatialMethod method) {
  if (std::string no_average = averaging_unsupported_reason(model, plan); !no_average.empty()) return no_average;
  if (model.n_modal_axes() < 2 || model.n_modal_axes() > 3)
    return "the preconditioners on the device take two or three axes of space";
  if (plan.banded_axis >= 0) return "equations in ultraspherical polynomials are evaluated on the CPU";
  if (const int time = model.time_axis(); time >= 0 && !has_diagonal_modes(subdomains[time].degree))
    return "more than 16 time nodes are solved on the CPU";
  if (method == SpatialMethod::tensor)
    return model.multipliers.empty() ? "" : "tensor products do not solve for the multiplier of a constraint";
  if (method == SpatialMethod::saddle)
    return model.time_axis() < 0 ? "steady flow in boxes takes too many vectors: it is solved on the CPU"
                                 : saddle_unsupported_reason(model, subdomains);
  if (method != SpatialMethod::wavenumber) return "it has no device version";
  if (std::string unsupported = wavenumber_unsupported_reason(model, plan); !unsupported.empty()) return unsupported;
  if (const WavenumberBlockSizes blocks = wavenumber_block_sizes(model, subdomains); blocks.bounded_axis >= 0) {
    if (blocks.unknowns <= kMaxLineUnknowns) return {};
    return "more than " + std::to_string(kMaxLineUnknowns) + " unknowns along " + model.axes[blocks.bounded_axis].name +
           " that are coupled for each wavenumber are solved on the CPU";
  }
  if (static_cast<int>(model.fields.size()) > kMaxWavenumberFields)
    return "more than " + std::to_string(kMaxWavenumberFields) +
           " unknowns that are coupled wavenumber by wavenumber are solved on the CPU";
  return {};
}

double device_memory_of(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains,
                        SpatialMethod method) {
  double unknowns = 0.0, points = 0.0, largest = 0.0;  // points: of one field
  for (const FieldModel& field : model.fields) {
    double n = 1.0, p = 1.0;
    for (int axis : field.axes) {
      const double degree = subdomains[axis].degree, count = static_cast<double>(subdomains[axis].n_coefficients());
      if (model.axes[axis].kind == AxisKind::time) {
        n *= degree;
        p *= degree;
      } else if (model.is_modal(axis)) {
        n *= count;
        int polynomial = 2;
        for (const EquationModel& equation : model.equations)
          polynomial = std::max(polynomial, equation.residual->facts.degree);
        p *= static_cast<double>(padded_points(*make_basis(subdomains[axis]), polynomial) *
                                 subdomains[axis].n_subdomains());
      }
    }
    unknowns += n;
    points = std::max(points, p);
    largest = std::max(largest, n);
  }
  // Atoms of residual and directions that vary along all axes, coefficients, one output per equation, and the tensors
  // on the way along the axes.
  const auto whole = [&](const std::vector<expression::Expr>& leaves) {
    return static_cast<double>(std::count_if(leaves.begin(), leaves.end(), [&](expression::Expr e) {
      return expression::is_atom(e) && [&] {
        const expression::Atom atom = expression::atom_of(*model.pool, e);
        return std::none_of(atom.restricted.begin(), atom.restricted.end(), [](bool restricted) { return restricted; });
      }();
    }));
  };
  double directions = 0.0;
  for (const RowPlan& row : plan.rows)
    if (!row.is_condition) directions += static_cast<double>(row.terms.size());
  const double atoms = whole(plan.residual_tape.leaves()) + 2.0 * directions;
  const double integrands = static_cast<double>(plan.residual_tape.integrals().size() +
                                                plan.jacobian_tape.integrals().size() + plan.integrals.size());
  const double tensors = atoms + integrands + static_cast<double>(model.equations.size()) + 3.0;
  const double vectors =
      8.0 * (unknowns * (krylov_vectors(method) + kNewtonVectors) + points * tensors + 8.0 * unknowns);
  return vectors + (method == SpatialMethod::wavenumber ? inverse_bytes(model, subdomains) : 0.0);
}

}  // namespace gwrm
