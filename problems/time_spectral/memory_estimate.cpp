#include "problems/time_spectral/memory_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "basis/time_modes.hpp"
#include "core/errors.hpp"
#include "core/memory.hpp"
#include "expression/lowering.hpp"
#include "expression/parser.hpp"
#include "problems/time_spectral/shared_memory.hpp"
#include "weighted_residual/preconditioner/cell_solver.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"
#include "weighted_residual/preconditioner/sparse_solver.hpp"
#include "weighted_residual/window/discretisation.hpp"

namespace gwrm {
namespace {

constexpr double kBytesOfDouble = 8.0;  // bytes

// What the equations ask for along one axis.
struct AxisUse {
  std::set<int> orders;                 // of derivatives at the points
  std::set<std::pair<int, int>> atoms;  // field and order, likewise
  double n_equations = 0.0, n_banded = 0.0;
};

AxisUse use_of(const Model& model, const SystemPlan& plan, int axis) {
  AxisUse use;
  const auto look = [&](const DirectionTerm& term) {
    if (term.integral >= 0 || term.atom.restricted[axis] || !model.fields[term.atom.field].depends_on(axis)) return;
    use.orders.insert(term.atom.orders[axis]);
    use.atoms.insert({term.atom.field, term.atom.orders[axis]});
  };
  for (const RowPlan& row : plan.rows) {
    for (const DirectionTerm& term : row.terms) look(term);
    if (!row.is_condition && model.fields[model.equations[row.index].field].depends_on(axis)) use.n_equations += 1.0;
    use.n_banded += static_cast<double>(row.banded.size());
  }
  for (const IntegralPlan& integral : plan.integrals)
    for (const DirectionTerm& term : integral.terms) look(term);
  return use;
}

// Matrices, in bytes: `shared` by all windows and subdomains, those of each window, and those that go again.
struct AxisBytes {
  double shared = 0.0, own = 0.0, passing = 0.0;
};

// Trial and test matrices of one subdomain (Discretisation), their halves by parity (AtomValues: of the values and of
// the directions), and the banded terms, which are stored densely (WindowSystem::write_in_banded_form).
AxisBytes space_bytes(const Model& model, const SystemPlan& plan, int axis, const AxisDescription& subdomains) {
  const AxisUse use = use_of(model, plan, axis);
  const auto basis = make_basis(subdomains);
  const double n = static_cast<double>(basis->n_per_subdomain()), n_orders = static_cast<double>(use.orders.size());
  const double on_points = kBytesOfDouble * n * static_cast<double>(padded_points(*basis, polynomial_degree(model)));
  const bool banded = plan.banded_axis == axis;
  AxisBytes bytes;
  bytes.shared = on_points * (1.0 + n_orders);
  bytes.own = on_points * (use.n_equations * (banded ? 1.0 : 1.5) + static_cast<double>(use.atoms.size()));
  if (banded) {
    bytes.own += kBytesOfDouble * n * n * use.n_banded;
    bytes.passing = on_points + kBytesOfDouble * n * n;
  }
  if (model.axes[axis].map != MapKind::linear)
    bytes.own += bytes.shared * static_cast<double>(subdomains.n_subdomains());
  return bytes;
}

// Integration matrices (TimeBasis), their copies in AtomValues, and where time is diagonalised or brought to
// triangular form (TimeModes) three complex matrices, with four more while they are computed.
AxisBytes time_bytes(const Model& model, const SystemPlan& plan, const AxisDescription& subdomains, bool modes) {
  const double K = subdomains.degree, square = kBytesOfDouble * K * K;
  double order = 0.0, copies = 0.0;
  for (const FieldModel& field : model.fields) order = std::max(order, static_cast<double>(field.time_order));
  const AxisUse use = use_of(model, plan, model.time_axis());
  AxisBytes bytes;
  if (model.weighting == Weighting::radau) {
    for (const FieldModel& field : model.fields) copies += 2.0 * field.time_order;
    bytes.shared = 2.0 * square;  // two of Radau
    bytes.own = square * (2.0 + order + (1.0 + order) + copies);
    bytes.passing = 2.0 * square;
  } else {
    const double padded =
        kBytesOfDouble * K * static_cast<double>(padded_points(*make_basis(subdomains), polynomial_degree(model)));
    for (const FieldModel& field : model.fields) copies += 2.0 * (1.0 + field.time_order);
    bytes.own = square * (1.0 + order) + padded * (2.0 + order + 1.5 * use.n_equations + copies);
    bytes.passing = 2.0 * square + padded;
  }
  if (modes) {
    bytes.shared += (has_diagonal_modes(static_cast<Index>(K)) ? 4.0 : 6.0) * square;
    bytes.passing += 6.0 * square;
  }
  return bytes;
}

// Windows that are there at once: the one before is kept for the prediction; every point in the parameters has its own.
double windows_at_once(const Model& model, const std::vector<AxisDescription>& subdomains) {
  double n_points = 1.0;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis)
    if (model.is_collocated(static_cast<int>(axis))) n_points *= static_cast<double>(subdomains[axis].n_coefficients());
  return n_points * (model.window_edges.size() > 2 ? 2.0 : 1.0);
}

}  // namespace

double matrix_bytes(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains,
                    bool modes) {
  double kept = 0.0, passing = 0.0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    AxisBytes bytes;
    if (axis == model.time_axis())
      bytes = time_bytes(model, plan, subdomains[axis], modes);
    else if (model.is_modal(axis))
      bytes = space_bytes(model, plan, axis, subdomains[axis]);
    kept += bytes.shared + bytes.own * windows_at_once(model, subdomains);
    passing = std::max(passing, bytes.passing);
  }
  return kept + passing;
}

namespace {

// The Jacobian, its factored copy, and the largest block while it is assembled (linear_block.hpp): itself, where its
// entries go, and per axis the matrices and their product; where the coefficients hold the unknowns, which vary
// along several axes, a kernel of its own size, and its product with the others.
double dense_bytes(const Model& model, const std::vector<AxisDescription>& subdomains, double n_unknowns) {
  const int n_axes = model.n_modal_axes() + (model.time_axis() >= 0 ? 1 : 0);
  double kernel = 0.0, factors = 0.0;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis) {
    if (axis != model.time_axis() && !model.is_modal(axis)) continue;
    const double n =
        axis == model.time_axis() ? subdomains[axis].degree : static_cast<double>(subdomains[axis].n_coefficients());
    factors += 6.0 * n * n;
    if (model.is_modal(axis) && n_axes > 1 && !model.linear) kernel = std::max(kernel, 3.0 * std::pow(n, 3));
  }
  const double largest = n_unknowns * (model.fields.size() > 1 ? 0.5 : 1.0);
  return kBytesOfDouble * (2.0 * n_unknowns * n_unknowns + largest * largest + factors + kernel);
}

// Factors per eigenvalue of time, those of the window before among them where the Jacobian changes.
double n_factors(const Model& model, const std::vector<AxisDescription>& subdomains) {
  const int time = model.time_axis();
  const double generations = model.linear ? 1.0 : 2.0;
  if (time < 0) return generations;
  const int K = subdomains[time].degree;
  if (!has_diagonal_modes(K)) return generations * K;
  return generations * ((K + 1) / 2) * (K > 12 ? 2.0 : 1.0);  // double precision (averaged_solver.cpp)
}

// The matrix, its entries on the way there, what a change of its pattern is told by, and the factors with their fill (1
// to 3 times the matrix where neighbours are coupled).
double sparse_bytes(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains) {
  constexpr double kBytesPerEntry = 120.0;
  const int time = model.time_axis();
  return kBytesPerEntry * sparse_entries(model, plan, time < 0 ? 1.0 : subdomains[time].degree + 1.0);
}

// Inverses in double precision, or the factors of a system along the bounded axis, of all wavenumbers for each
// eigenvalue of time.
double wavenumber_bytes(const Model& model, const std::vector<AxisDescription>& subdomains) {
  double n_vectors = 1.0, n_bounded = 1.0;
  bool bounded = false;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
    if (!model.is_modal(static_cast<int>(axis))) continue;
    const auto n = static_cast<double>(subdomains[axis].n_coefficients());
    if (subdomains[axis].basis == kFourier) {
      n_vectors *= n;
    } else {
      n_bounded = n;
      bounded = true;
    }
  }
  const double size = n_bounded * static_cast<double>(model.fields.size());
  return (bounded ? 8.0 : 16.0) * n_factors(model, subdomains) * n_vectors * size * size;
}

double solver_bytes(LinearMethod method, const Model& model, const SystemPlan& plan,
                    const std::vector<AxisDescription>& subdomains, int coefficient_degree) {
  const WindowSize size = window_size(model, subdomains);
  if (method == LinearMethod::cells) return 1.5 * cell_cost(model, subdomains).bytes;
  if (method == LinearMethod::sparse) return sparse_bytes(model, plan, subdomains);
  if (is_dense(method)) return dense_bytes(model, subdomains, size.unknowns);
  // Krylov vectors (gmres.hpp, krylov_limits.hpp), values of some ten atoms at padded points, and the factors (eight
  // bytes an entry in single precision).
  const double n_iterations = method != LinearMethod::saddle ? kMaxKrylovIterations
                              : model.time_axis() >= 0       ? kMaxSaddleIterations
                                                             : kMaxSteadySaddleIterations;
  double bytes =
      kBytesOfDouble * size.unknowns * (5.0 + 2.0 * n_iterations + 10.0 * std::pow(1.5, model.n_modal_axes()));
  if (method == LinearMethod::banded)  // band, responses to the border (as many as conditions), operators in the making
    return bytes + kBytesOfDouble * size.unknowns * 6.0 * band_half_width(model, subdomains, coefficient_degree);
  const double per_entry = 8.0 * n_factors(model, subdomains);
  constexpr double kOperators = 16.0, kFactoring = 48.0;  // bytes an entry: both powers; one factorisation on its way
  if (method == LinearMethod::averaged) bytes += (per_entry + kOperators + kFactoring) * size.spatial * size.spatial;
  if (method == LinearMethod::condensed)
    for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
      if (model.is_modal(axis)) {
        const double subdomain = static_cast<double>(make_basis(subdomains[axis])->n_per_subdomain()) *
                                 static_cast<double>(model.fields.size());
        bytes += subdomain * subdomain *
                 ((per_entry + kOperators) * static_cast<double>(subdomains[axis].n_subdomains()) + kFactoring);
      }
  if (method == LinearMethod::wavenumber) bytes += wavenumber_bytes(model, subdomains);
  return bytes;
}

double memory_limit(const Case& the_case, int n_local = 1) {
  return the_case.solver.memory_gb > 0.0 ? the_case.solver.memory_gb * 1e9
                                         : static_cast<double>(available_memory()) / n_local;
}

std::string text_of(double bytes) {
  return format_bytes(static_cast<std::size_t>(std::min(bytes, 9e18)));
}

// "1.3 GB are free"
std::string limit_text(const Case& the_case, double limit) {
  return text_of(limit) + (the_case.solver.memory_gb > 0.0 ? " are allowed by solver.memory" : " are free");
}

}  // namespace

double memory_of(LinearMethod method, const Model& model, const SystemPlan& plan,
                 const std::vector<AxisDescription>& subdomains, int coefficient_degree) {
  const bool modes = method == LinearMethod::averaged || method == LinearMethod::condensed ||
                     method == LinearMethod::tensor || method == LinearMethod::wavenumber ||
                     method == LinearMethod::saddle;
  return matrix_bytes(model, plan, subdomains, modes) +
         solver_bytes(method, model, plan, subdomains, coefficient_degree);
}

double sampled_bytes(const Case& the_case, const Model& model) {
  constexpr double kPassing = 3.0;  // the values of two operands and their result
  double kept = 0.0, largest = 0.0;
  for (const NamedExpression& field : the_case.output.fields) {
    const expression::Expr e = expression::lower(*model.pool, expression::parse(*model.pool, field.text));
    double bytes = kBytesOfDouble;
    for (const GridAxis& grid : the_case.output.grid) {
      const auto axis = static_cast<std::size_t>(model.pool->symbols().find_axis(grid.axis));
      if ((e->facts.axes >> axis & 1u) != 0)
        bytes *= grid.count > 0 ? grid.count : static_cast<double>(grid.points.size());
    }
    kept += bytes * (the_case.output.error == ErrorFieldsChoice::on ? 3.0 : 1.0);
    largest = std::max(largest, bytes);
  }
  return kept + kPassing * largest;
}

void check_memory(const Case& the_case, const Model& model, const SystemPlan& plan, const LinearChoice& choice,
                  const RanksOfWindow& ranks) {
  if (const std::string excess = memory_excess(the_case, model, plan, choice, model.subdomains, ranks); !excess.empty())
    throw MemoryError(fmt::format(
        "not enough memory: {}. Lower resolution.degree (half of it in one dimension needs a quarter of the memory), "
        "use more time windows of lower degree (resolution.domains.t), or solve parameters by collocation",
        excess));
  const double sampled = sampled_bytes(the_case, model), limit = memory_limit(the_case);
  if (sampled > limit)
    throw MemoryError(
        fmt::format("not enough memory: the fields of `output` need {}, {}. Give output.grid fewer points, name fewer "
                    "output.fields, or none (output: {{fields: {{}}}}) and use gwrm eval on the result",
                    text_of(sampled), limit_text(the_case, limit)));
}

std::string memory_excess(const Case& the_case, const Model& model, const SystemPlan& plan, const LinearChoice& choice,
                          const std::vector<AxisDescription>& subdomains, const RanksOfWindow& ranks) {
  constexpr int kManyRanks = 4096;
  const bool shareable = may_be_shared(choice.method, model, plan, subdomains),
             is_shared = shareable && ranks.n_ranks > 1;
  const double needed = is_shared ? memory_of_share(model, plan, subdomains, ranks.n_ranks)
                                  : memory_of(choice.method, model, plan, subdomains, choice.coefficient_degree);
  const double limit = memory_limit(the_case, is_shared ? ranks.n_local : 1);
  if (needed <= limit) return {};
  std::string text =
      fmt::format("a window of {:.0f} unknowns with {} needs {}{}, {}", window_size(model, subdomains).unknowns,
                  describe(choice), text_of(needed),
                  is_shared ? fmt::format(" on each of {} ranks", ranks.n_ranks) : "", limit_text(the_case, limit));
  for (int n_ranks = 2 * ranks.n_ranks; shareable && n_ranks <= kManyRanks; n_ranks *= 2)
    if (const double share = memory_of_share(model, plan, subdomains, n_ranks); share <= limit)
      return text + fmt::format("; on {0} ranks{1} (mpirun -n {0} gwrm run ..) each would need {2}", n_ranks,
                                the_case.solver.memory_gb > 0.0 ? "" : " of more machines", text_of(share));
  return text;
}

}  // namespace gwrm
