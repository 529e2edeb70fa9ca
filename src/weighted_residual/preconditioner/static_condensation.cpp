// Static condensation along one axis of space.
//
// In subdomain d the equations alone are a wide system A_d u_d + C_d g = r_d (g: unknowns without that axis). Its
// solutions are
//   u_d = A_d^+ (r_d - C_d g) + N_d c_d          (kernels/linear_algebra/wide_lu.hpp)
// with as many free numbers c_d as the subdomain gave up modes. Conditions and continuity, sum_d E_d u_d + E_g g = r_c,
// then are a sparse system for (c_1, c_2, .., g), block bidiagonal but for conditions that reach further. Nothing is
// assumed about which conditions close a subdomain, so that any order and any kind of condition will do.
#include "core/matrix_storage.hpp"  // before other headers of Eigen

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <cmath>

#include "core/thread_errors.hpp"
#include "kernels/linear_algebra/real_complex_product.hpp"
#include "weighted_residual/preconditioner/sparse_lu_status.hpp"
#include "weighted_residual/preconditioner/spatial_factors.hpp"
#include "weighted_residual/preconditioner/static_condensation_rows.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;
using Sparse = Eigen::SparseMatrix<Complex>;

// Interface systems up to this size are factored as dense ones.
constexpr Index kDenseInterface = 48;

// sum_p z^p B_p, real and imaginary part by themselves: the B_p are real.
ComplexMatrix at_z(const std::vector<Matrix>& powers, Complex z) {
  Matrix real = powers.front(), imaginary = Matrix::Zero(real.rows(), real.cols());
  Complex power = 1.0;
  for (std::size_t p = 1; p < powers.size(); ++p) {
    power *= z;
    real += power.real() * powers[p];
    imaginary += power.imag() * powers[p];
  }
  ComplexMatrix sum(real.rows(), real.cols());
  sum.real() = real;
  sum.imag() = imaginary;
  return sum;
}

// Everything of one z.
struct Factored {
  struct Local {
    WideLu lu;
    ComplexMatrix null_space;   // N_d
    ComplexMatrix global_part;  // A_d^+ C_d
    ComplexMatrix coupling;     // E_d
    Index first = 0;            // of c_d among the interface unknowns
  };
  std::vector<Local> subdomains;
  Index n_interface = 0;
  Eigen::PartialPivLU<Eigen::MatrixXcd> dense;  // of diag(row_scale) matrix diag(column_scale)
  Eigen::VectorXd row_scale, column_scale;      // powers of two
  std::unique_ptr<Eigen::SparseLU<Sparse>> sparse;

  ComplexVector solve_interface(const ComplexVector& right) const {
    if (n_interface == 0) return right;
    if (sparse) return sparse->solve(right);
    const ComplexVector scaled = row_scale.asDiagonal() * right;
    const ComplexVector solved = dense.solve(scaled);
    return column_scale.asDiagonal() * solved;
  }
};

// 2^-n of the largest magnitude, rounded. Rows of continuity of u and of dx(u) differ in size by the length of the
// subdomains, and pivots are compared.
double inverse_size(double largest) {
  return largest > 0.0 && std::isfinite(largest) ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
}

LuStatus factor(const StaticCondensationRows& what, Complex z, Precision precision, Factored& result) {
  const std::size_t n = what.subdomains.size();
  const Index n_global = static_cast<Index>(what.global_unknowns.size());
  result.subdomains.resize(n);
  std::vector<Eigen::Triplet<Complex>> entries;
  Index first = 0;
  for (std::size_t d = 0; d < n; ++d) {
    const CondensedSubdomain& subdomain = what.subdomains[d];
    Factored::Local& local = result.subdomains[d];
    // A_d: its LU gives A_d^+, zero in the columns that it did not pick, and N_d with A_d N_d = 0.
    const LuStatus status = local.lu.factor(at_z(subdomain.local, z), precision, what.n_modes);
    if (status != LuStatus::regular) return status;
    local.null_space = local.lu.null_space();
    local.coupling = at_z(subdomain.coupling, z);
    local.first = first;
    first += local.null_space.cols();
    // A_d^+ C_d, column by column.
    if (n_global > 0) {
      const ComplexMatrix columns = at_z(subdomain.global, z);
      local.global_part.resize(static_cast<Index>(subdomain.unknowns.size()), n_global);
      ComplexVector x(local.global_part.rows());
      for (Index g = 0; g < n_global; ++g) {
        const ComplexVector b = columns.col(g);
        local.lu.solve({b.data(), static_cast<std::size_t>(b.size())}, {x.data(), static_cast<std::size_t>(x.size())});
        local.global_part.col(g) = x;
      }
    }
  }
  result.n_interface = first + n_global;
  if (result.n_interface != static_cast<Index>(what.coupling_rows.size()))
    throw ShapeError("condensation: interface rows and unknowns differ");
  if (result.n_interface == 0) return LuStatus::regular;

  // u_d = A_d^+ (r_d - C_d g) + N_d c_d put into sum_d E_d u_d + E_g g = r_c:
  //   sum_d E_d N_d c_d + (E_g - sum_d E_d A_d^+ C_d) g = r_c - sum_d E_d A_d^+ r_d
  ComplexMatrix global = at_z(what.coupling_global, z);
  for (std::size_t d = 0; d < n; ++d) {
    const Factored::Local& local = result.subdomains[d];
    const ComplexMatrix block = local.coupling * local.null_space;
    for (Index r = 0; r < block.rows(); ++r) {
      const Index row = what.subdomains[d].coupling_rows[static_cast<std::size_t>(r)];
      for (Index c = 0; c < block.cols(); ++c) entries.emplace_back(row, local.first + c, block(r, c));
      if (n_global > 0) global.row(row) -= local.coupling.row(r) * local.global_part;
    }
  }
  // The columns of g stand behind those of all c_d.
  for (Index r = 0; r < global.rows(); ++r)
    for (Index g = 0; g < n_global; ++g)
      if (global(r, g) != 0.0) entries.emplace_back(r, first + g, global(r, g));
  Sparse matrix(result.n_interface, result.n_interface);
  matrix.setFromTriplets(entries.begin(), entries.end());
  if (result.n_interface <= kDenseInterface) {
    Eigen::MatrixXcd whole(matrix);
    if (!whole.allFinite()) return LuStatus::not_finite;
    result.row_scale = whole.cwiseAbs().rowwise().maxCoeff().unaryExpr(&inverse_size);
    whole = (result.row_scale.asDiagonal() * whole).eval();
    result.column_scale = whole.cwiseAbs().colwise().maxCoeff().transpose().unaryExpr(&inverse_size);
    whole = (whole * result.column_scale.asDiagonal()).eval();
    result.dense.compute(whole);
    const auto pivots = result.dense.matrixLU().diagonal().cwiseAbs();
    const double tiny = precision == Precision::single_complex ? 1e-6 : 1e-13;
    return pivots.minCoeff() > tiny * pivots.maxCoeff() ? LuStatus::regular : LuStatus::singular;
  }
  result.sparse = std::make_unique<Eigen::SparseLU<Sparse>>();
  result.sparse->compute(matrix);
  return sparse_lu_status(*result.sparse);
}

class StaticCondensation : public SpatialFactors {
 public:
  StaticCondensationRows what;
  std::vector<Factored> factored;

  void solve(std::size_t k, std::span<const Complex> b, std::span<Complex> x) const override {
    const Factored& f = factored[k];
    const Index n_global = static_cast<Index>(what.global_unknowns.size());
    // r_c - sum_d E_d A_d^+ r_d, with A_d^+ r_d kept: it is what u_d begins with.
    ComplexVector right(static_cast<Index>(what.coupling_rows.size()));
    for (Index r = 0; r < right.size(); ++r)
      right(r) = b[static_cast<std::size_t>(what.coupling_rows[static_cast<std::size_t>(r)])];
    std::vector<ComplexVector> particular(what.subdomains.size());
    for (std::size_t d = 0; d < what.subdomains.size(); ++d) {
      const CondensedSubdomain& subdomain = what.subdomains[d];
      std::vector<Complex> local(subdomain.rows.size());
      for (std::size_t r = 0; r < local.size(); ++r) local[r] = b[static_cast<std::size_t>(subdomain.rows[r])];
      particular[d].resize(static_cast<Index>(subdomain.unknowns.size()));
      f.subdomains[d].lu.solve(local, {particular[d].data(), subdomain.unknowns.size()});
      const ComplexVector share = f.subdomains[d].coupling * particular[d];
      for (Index r = 0; r < share.size(); ++r) right(subdomain.coupling_rows[static_cast<std::size_t>(r)]) -= share(r);
    }
    // (c_1, c_2, .., g).
    const ComplexVector c = f.solve_interface(right);
    const ComplexVector g = c.tail(n_global);
    // u_d = A_d^+ r_d + N_d c_d - A_d^+ C_d g.
    for (std::size_t d = 0; d < what.subdomains.size(); ++d) {
      const Factored::Local& local = f.subdomains[d];
      ComplexVector& u = particular[d];
      u.noalias() += local.null_space * c.segment(local.first, local.null_space.cols());
      if (n_global > 0) u.noalias() -= local.global_part * g;
      for (Index j = 0; j < u.size(); ++j)
        x[static_cast<std::size_t>(what.subdomains[d].unknowns[static_cast<std::size_t>(j)])] = u(j);
    }
    for (Index j = 0; j < n_global; ++j)
      x[static_cast<std::size_t>(what.global_unknowns[static_cast<std::size_t>(j)])] = g(j);
  }

  // Rows of subdomain d: A_d u_d + C_d g; coupling rows: sum_d E_d u_d + E_g g; of the power p alone.
  void apply(int p, std::span<const Complex> x, std::span<Complex> y) const override {
    std::vector<double> work(real_complex_workspace_size(static_cast<Index>(x.size())));
    const auto gathered = [&](const std::vector<Index>& indices) {
      std::vector<Complex> values;
      values.reserve(indices.size());
      for (Index i : indices) values.push_back(x[static_cast<std::size_t>(i)]);
      return values;
    };
    const auto scatter = [&](const std::vector<Complex>& values, const std::vector<Index>& indices) {
      for (std::size_t r = 0; r < values.size(); ++r) y[static_cast<std::size_t>(indices[r])] = values[r];
    };
    const std::vector<Complex> g = gathered(what.global_unknowns);
    std::vector<Complex> coupled(what.coupling_rows.size());
    multiply(what.coupling_global[p], g, coupled, work);
    for (const CondensedSubdomain& subdomain : what.subdomains) {
      const std::vector<Complex> u = gathered(subdomain.unknowns);
      std::vector<Complex> local(subdomain.rows.size()), share(subdomain.coupling_rows.size());
      multiply(subdomain.local[p], u, local, work);
      multiply_add(subdomain.global[p], g, local, work);
      scatter(local, subdomain.rows);
      multiply(subdomain.coupling[p], u, share, work);
      for (std::size_t r = 0; r < share.size(); ++r)
        coupled[static_cast<std::size_t>(subdomain.coupling_rows[r])] += share[r];
    }
    scatter(coupled, what.coupling_rows);
  }
};

}  // namespace

std::string condensation_unsupported_reason(const Model& model, const SystemPlan& plan) {
  const int axis = condensed_axis(model);
  if (axis < 0) return "there is not exactly one axis of space";
  if (!model.multipliers.empty()) return "a constraint has a multiplier";
  for (const RowPlan& row : plan.rows) {
    if (row.is_condition && !model.conditions[row.index].mean_axes.empty()) return "a condition fixes a mean";
    if (row.is_condition || !model.fields[model.equations[row.index].field].depends_on(axis)) continue;
    for (const DirectionTerm& term : row.terms)
      if (term.integral >= 0 || term.atom.restricted[axis]) return "an equation couples distant points of space";
  }
  return {};
}

FactorResult static_condensation(const WindowSystem& system, const SpatialLayout& layout,
                                 const std::vector<Array>& averages, const std::vector<Complex>& z,
                                 Precision precision) {
  auto factors = std::make_unique<StaticCondensation>();
  factors->what = static_condensation_rows(system, layout, averages);
  factors->factored.resize(z.size());
  std::vector<LuStatus> status(z.size(), LuStatus::regular);
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads(system.context().n_threads())
  for (std::size_t k = 0; k < z.size(); ++k)
    errors.run([&] {
      status[k] = factor(factors->what, z[k], precision, factors->factored[k]);
      // Nearly singular in single precision: double precision tells.
      if (status[k] == LuStatus::singular && precision == Precision::single_complex)
        status[k] = factor(factors->what, z[k], Precision::double_complex, factors->factored[k] = Factored());
    });
  errors.rethrow();
  for (LuStatus one : status)
    if (one != LuStatus::regular) return {nullptr, one};
  return {std::move(factors), LuStatus::regular};
}

}  // namespace gwrm
