#include "problems/time_spectral/shared_memory.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "basis/time_modes.hpp"
#include "expression/lowering.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"
#include "weighted_residual/window/discretisation.hpp"
#include "weighted_residual/window/window_layouts.hpp"

namespace gwrm {
namespace {

using expression::Expr;
using expression::Op;

constexpr double kDoubleBytes = 8.0;  // bytes
// Per number of the whole window on rank 0 behind the solve: the answer, its coefficients, and what verifies them.
// Measured: 5.2 to 5.6.
constexpr double kWholeVectors = 8.0;
// Where windows follow one another, before the next solve: of two guesses from the last answer the residual of one, in
// all points. Measured: 12.7 to 13.2.
constexpr double kVectorsOfGuesses = 16.0;
// And beside the solve, where windows follow one another: the answer of the one before, and guesses from it.
constexpr double kVectorsBefore = 4.0;

std::vector<int> axes_of_space(const Model& model) {
  std::vector<int> axes;
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_modal(axis)) axes.push_back(axis);
  return axes;
}

double largest_share(const Shares& shares) {
  Index most = 0;
  for (int rank = 0; rank < shares.n_ranks(); ++rank) most = std::max(most, shares.count(rank));
  return static_cast<double>(most) / static_cast<double>(shares.size());
}

// (field, derivative in time, derivative along z) of what is read away from the edges of z: its tables in an exchange.
using Tables = std::set<std::tuple<int, int, int>>;

Tables tables_of(const Model& model, const expression::Tape& tape, int z) {
  Tables tables;
  for (const Expr leaf : tape.leaves()) {
    if (leaf->op == Op::coordinate || leaf->op == Op::data) continue;
    const expression::Atom atom = expression::atom_of(*model.pool, leaf);
    if (!atom.restricted[at(z)]) tables.insert({atom.field, atom.orders.front(), atom.orders[at(z)]});
  }
  return tables;
}

Tables tables_of_directions(const SystemPlan& plan, int z) {
  Tables tables;
  for (const RowPlan& row : plan.rows)
    for (const DirectionTerm& term : row.terms)
      if (!term.atom.restricted[at(z)])
        tables.insert({term.atom.field, term.atom.orders.front(), term.atom.orders[at(z)]});
  return tables;
}

// Outputs of the tape that vary at all.
double n_varying(const expression::Tape& tape) {
  const std::vector<bool> vary = tape.depends_on(std::vector<bool>(tape.leaves().size(), true));
  return static_cast<double>(std::count(vary.begin(), vary.end(), true));
}

// Numbers of the data in the planes of a rank.
double data_numbers(const expression::Tape& tape, const std::vector<double>& points, double share) {
  double all = 0.0;
  for (const Expr leaf : tape.leaves()) {
    if (leaf->op != Op::data) continue;
    double count = share;
    for (std::size_t axis = 0; axis < points.size(); ++axis)
      if (axis == 0 || (leaf->facts.axes >> axis & 1u) != 0) count *= points[axis];
    all += count;
  }
  return all;
}

}  // namespace

bool may_be_shared(LinearMethod method, const Model& model, const SystemPlan& plan,
                   const std::vector<AxisDescription>& subdomains) {
  if (method != LinearMethod::tensor || model.time_axis() != 0 || model.n_modal_axes() < 2) return false;
  if (!has_diagonal_modes(subdomains.front().degree) || !model.multipliers.empty()) return false;
  if (plan.series || !plan.integrals.empty()) return false;
  for (std::size_t axis = 0; axis < model.axes.size(); ++axis) {
    if (model.is_collocated(static_cast<int>(axis))) return false;
    if (model.is_modal(static_cast<int>(axis)) && subdomains[axis].n_subdomains() > 1) return false;
  }
  return true;
}

double memory_of_share(const Model& model, const SystemPlan& plan, const std::vector<AxisDescription>& subdomains,
                       int n_ranks) {
  const std::vector<int> axes = axes_of_space(model);
  const int z = axes.front();
  const double K = subdomains.front().degree, n_fields = static_cast<double>(model.fields.size());
  const WindowSize size = window_size(model, subdomains);
  const double vector = kDoubleBytes * size.unknowns;

  std::vector<double> points(model.axes.size(), 1.0);
  points.front() = K;
  Index n_columns = 1;
  double plane = 1.0, factors = 0.0;
  const double n_modes = std::ceil(K / 2.0);
  for (const int axis : axes) {
    const auto basis = make_basis(subdomains[at(axis)]);
    const double n = static_cast<double>(basis->n_coefficients());
    points[at(axis)] = static_cast<double>(padded_points(*basis, polynomial_degree(model)));
    // Schur forms of an axis for every mode, of 16 bytes an entry, and their copies in single precision.
    factors += n_fields * n * n * (2.0 * 16.0 + 3.0 * 8.0) * (n_modes + 1.0);
    if (axis == z) continue;
    n_columns *= basis->n_coefficients();
    plane *= points[at(axis)];
  }
  const Index n_planes = subdomains.front().degree * static_cast<Index>(points[at(z)]);
  const double columns = largest_share(Shares::even(n_columns, n_ranks, column_block(n_columns)));
  const double planes = largest_share(Shares::even(n_planes, n_ranks));
  const double pairs = largest_share(Shares::even(static_cast<Index>(n_modes * n_fields), n_ranks));

  const double table = kDoubleBytes * static_cast<double>(n_planes * n_columns) * std::max(columns, planes);
  const double n_tables = static_cast<double>(
      std::max(tables_of(model, plan.residual_tape, z).size(), tables_of_directions(plan, z).size()));
  const double modes = vector * 2.0 * n_modes / K * std::max(columns, pairs);
  const double rooms = 2.0 * std::max(n_tables * table, modes) + n_fields * table;

  const double of_planes =
      kDoubleBytes * planes * static_cast<double>(n_planes) * plane * n_varying(plan.jacobian_tape) +
      kDoubleBytes *
          (data_numbers(plan.residual_tape, points, planes) + data_numbers(plan.jacobian_tape, points, planes));
  // What is evaluated in one plane: atoms by way of two intermediate tensors, and the slots of a tape.
  const double in_one = kDoubleBytes * plane * 3.0 *
                        static_cast<double>(plan.residual_tape.leaves().size() + plan.jacobian_tape.leaves().size() +
                                            plan.rows.size() * 4);
  // Right-hand side and solution of a mode, complex, and tensors of its solve; the state on its way.
  const double of_space = kDoubleBytes * size.spatial * (4.0 + 12.0 / n_fields + 5.0);
  const double vectors = columns * vector * (10.0 + 2.0 * kMaxKrylovIterations);
  const bool follows = model.window_edges.size() > 2;
  const double before = follows ? kVectorsBefore * vector : 0.0;
  const double solve = vectors + rooms + of_planes + in_one + of_space + factors + before;
  return matrix_bytes(model, plan, subdomains, true) +
         std::max(solve, (follows ? kVectorsOfGuesses : kWholeVectors) * vector);
}

}  // namespace gwrm
