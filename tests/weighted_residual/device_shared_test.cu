// Windows that the devices of the launcher's ranks share, against those of one device
// (weighted_residual.device_ranks_*): residual, J v, preconditioner and Newton's iteration, and the exchanges by
// themselves.
#include "weighted_residual/device_fixture.cuh"
//
#include <algorithm>

#include "core/devices.hpp"
#include "core/ranks_of_launcher.hpp"
#include "weighted_residual/device/device_preconditioner.cuh"
#include "weighted_residual/device/device_shares.cuh"
#include "weighted_residual/preconditioner/shared_newton.hpp"

namespace gwrm::test {
namespace {

using cuda::DeviceExchange;
using cuda::DeviceShares;
using cuda::DeviceTeam;
using cuda::DeviceWindow;

// Conditions along every axis, a nonlinear one along the first too, data along every axis, several fields; several
// blocks along x; Fourier axes; three dimensions.
constexpr const char* kBurgers = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1]}
unknowns: [u, v]
equations: ["dt(u) + u*dx(u) + v*dy(u) = 0.1*lap(u) + sin(x)*y", "dt(v) + u*dx(v) + v*dy(v) = 0.2*lap(v) + t*x*y"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = t*y", "u(x=2) = 0", "u(y=0) = x^2", "dy(u)(y=1) = u(y=1)^2 + t",
           "v(x=-1) = 0", "dx(v)(x=2) = exp(y)", "v(y=0) = 0", "v(y=1) = x"]
resolution: {degree: {t: 5, x: 19, y: 6}}
)yaml";
constexpr const char* kFourierAndWalls = R"yaml(schema: 1
domain: {t: [0, 0.7], x: {range: [0, 2], basis: fourier}, y: [0, 1]}
unknowns: [u]
equations: ["dt(u) + u*dx(u) = (0.1 + 0.05*t)*lap(u) + cos(pi*x)"]
initial: {u: "0"}
boundary: ["u(y=0) = 0", "u(y=1) = sin(pi*x)"]
resolution: {degree: {t: 4, x: 16, y: 7}}
)yaml";
constexpr const char* kThreeDimensions = R"yaml(schema: 1
domain: {t: [0, 0.7], x: [-1, 2], y: [0, 1], z: [0, 3]}
unknowns: [u, v]
equations: ["dt(u) + u*(dx(u) + dy(u) + dz(u)) = (1 + 0.2*t*z*y)*lap(u) + x*y*z*t", "dt(v) + u*dz(v) = lap(v)"]
initial: {u: "0", v: "0"}
boundary: ["u(x=-1) = y*z", "u(x=2) = 0", "u(y=0) = t*x*z", "dy(u)(y=1) = 0", "u(z=0) = x*y", "dz(u)(z=3) + u(z=3) = t",
           "v(x=-1) = 0", "v(x=2) = 0", "v(y=0) = 0", "v(y=1) = 0", "v(z=0) = 0", "v(z=3) = x*y"]
resolution: {degree: {t: 4, x: 11, y: 12, z: 5}}
)yaml";

class DeviceShared : public OnDevice<const char*> {
 protected:
  void SetUp() override {
    Team& team = ranks_of_launcher();
    if (team.size() < 2) GTEST_SKIP() << "one rank";
    if (n_devices() < team.n_local()) GTEST_SKIP() << "no CUDA device for each rank";
    use_device(team.local_rank());
    ranks_ = team.communicator();
    assemble(GetParam(), SpatialMethod::tensor);
    if (IsSkipped()) return;
    ASSERT_EQ(shared_newton_unsupported_reason(a_->system, SpatialMethod::tensor), "");
    devices_ = std::make_unique<DeviceTeam>(*ranks_, *device_.device());
    shares_ = std::make_unique<DeviceShares>(a_->system, *devices_);
  }

  std::unique_ptr<DeviceWindow> make_shared() {
    return std::make_unique<DeviceWindow>(*tools_, programs_, a_->system, !run_time_compiler_missing().empty(),
                                          std::make_unique<const DeviceShares>(a_->system, *devices_));
  }
  using Parts = std::vector<DeviceShares::Part>;
  static Index size_of(const Parts& parts, int rank) {
    Index size = 0;
    for (const DeviceShares::Part& part : parts) size += part.n_lines * part.columns.count(rank);
    return size;
  }
  // The rank's own numbers of a whole vector, which every rank has, and the whole of what all have.
  DeviceArray own_part(const Parts& parts, const std::vector<double>& whole) {
    std::vector<double> own;
    for (const DeviceShares::Part& part : parts)
      for (Index line = 0; line < part.n_lines; ++line) {
        const double* from = whole.data() + part.whole_offset + line * part.columns.size();
        own.insert(own.end(), from + part.columns.begin(ranks_->rank()), from + part.columns.end(ranks_->rank()));
      }
    return send(own);
  }
  std::vector<double> gathered(const Parts& parts, const DeviceArray& own, std::size_t n) {
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < ranks_->size(); ++rank) counts.push_back(static_cast<std::size_t>(size_of(parts, rank)));
    std::vector<double> all(n), whole(n, std::nan(""));
    ranks_->all_gather<double>(fetch(own), counts, all);
    const double* from = all.data();
    for (int rank = 0; rank < ranks_->size(); ++rank)
      for (const DeviceShares::Part& part : parts)
        for (Index line = 0; line < part.n_lines; ++line, from += part.columns.count(rank))
          std::copy_n(from, part.columns.count(rank),
                      whole.data() + part.whole_offset + line * part.columns.size() + part.columns.begin(rank));
    return whole;
  }

  std::unique_ptr<Communicator> ranks_;
  std::unique_ptr<DeviceTeam> devices_;
  std::unique_ptr<DeviceShares> shares_;
};
INSTANTIATE_TEST_SUITE_P(Of, DeviceShared, testing::Values(kBurgers, kFourierAndWalls, kThreeDimensions),
                         [](const auto& one) { return "Case" + std::to_string(one.index); });

TEST_P(DeviceShared, ThereAndBackIsTheIdentity) {
  const std::size_t n = x_.size();
  const DeviceArray whole = send(x_), together = poisoned();
  const DeviceArray own = send(std::vector<double>(shares_->n_unknowns(), std::nan("")));
  shares_->deal_out(*tools_, whole.data(), own.data());
  EXPECT_EQ(gathered(shares_->unknowns(), own, n), x_);
  shares_->collect(*tools_, own.data(), together.data());
  if (ranks_->rank() == 0) {
    EXPECT_EQ(fetch(together), x_);
  }
  // All fields at once.
  std::vector<SharedTable> tables;
  for (const DeviceShares::Part& part : shares_->unknowns())
    tables.push_back({Shares::even(part.n_lines, ranks_->size()), part.columns, part.columns.size()});
  DeviceExchange exchange(*tools_, *devices_, tables);
  const DeviceArray by_lines = send(std::vector<double>(exchange.n_by_lines(), std::nan("")));
  const DeviceArray back = send(std::vector<double>(exchange.n_by_columns(), std::nan("")));
  exchange.to_lines(own.data(), by_lines.data());
  exchange.to_columns(by_lines.data(), back.data());
  EXPECT_EQ(fetch(back), fetch(own));
  // Lines are those of the whole vector.
  const std::vector<double> lines = fetch(by_lines);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const DeviceShares::Part& part = shares_->unknowns()[t];
    const Index first = tables[t].lines.begin(ranks_->rank()), count = tables[t].lines.count(ranks_->rank());
    const double* wanted = x_.data() + part.whole_offset + first * part.columns.size();
    EXPECT_TRUE(std::equal(wanted, wanted + count * part.columns.size(), lines.data() + exchange.by_lines_before(t)));
  }
}

TEST_P(DeviceShared, ResidualAndProductAreThoseOfOneDevice) {
  const std::size_t n = x_.size();
  const std::vector<double> v = random_vector(a_->system.size(), 6);
  const auto alone = make_window(), shared = make_shared();
  const DeviceArray x = send(x_), direction = send(v), f = poisoned(), product = poisoned();
  alone->residual(x.data(), f.data());
  alone->linearise(x.data());
  alone->apply_jacobian(direction.data(), product.data());

  const DeviceShares& shares = *shares_;
  const DeviceArray own_x = own_part(shares.unknowns(), x_), own_v = own_part(shares.unknowns(), v);
  const std::vector<double> nothing(shares.n_rows(), std::nan(""));
  const DeviceArray own_f = send(nothing), own_product = send(nothing);
  shared->residual(own_x.data(), own_f.data());
  shared->linearise(own_x.data());
  shared->apply_jacobian(own_v.data(), own_product.data());
  EXPECT_LE(relative_difference(gathered(shares.rows(), own_f, n), fetch(f)), 1e-12);
  EXPECT_LE(relative_difference(gathered(shares.rows(), own_product, n), fetch(product)), 1e-12);

  // Means of all coefficients that equations have.
  for (const RowBlock& row : a_->system.rows())
    for (const RowTerm& term : row.terms)
      for (int axis = -1; term.coefficient >= 0 && axis < static_cast<int>(a_->model.axes.size()); ++axis) {
        if (axis == 0) continue;
        const Vector mean = shared->coefficient_mean(term.coefficient, axis),
                     wanted = alone->coefficient_mean(term.coefficient, axis);
        // One number where it does not vary along the axis, or as often as there are points.
        for (Index i = 0; i < mean.size(); ++i)
          EXPECT_NEAR(mean(i), wanted(wanted.size() == 1 ? 0 : i), 1e-12 * std::max(1.0, wanted.cwiseAbs().maxCoeff()));
      }
}

TEST_P(DeviceShared, PreconditionerIsThatOfOneDevice) {
  const std::size_t n = x_.size();
  const auto alone = make_window(), shared = make_shared();
  const DeviceShares& shares = *shares_;
  const DeviceArray x = send(x_), own_x = own_part(shares.unknowns(), x_);
  alone->linearise(x.data());
  shared->linearise(own_x.data());
  const auto of_window = [&](DeviceWindow& window) {
    return make_preconditioner(
        *tools_, a_->system, SpatialMethod::tensor,
        [&](int coefficient, int axis) { return window.coefficient_mean(coefficient, axis); }, [] {}, window.shares());
  };
  const auto of_one = of_window(*alone), of_all = of_window(*shared);
  ASSERT_EQ(of_one.status, LuStatus::regular);
  ASSERT_EQ(of_all.status, LuStatus::regular);
  for (const bool conditions : {true, false}) {
    std::vector<double> v = random_vector(a_->system.size(), 9);
    for (const RowBlock& row : a_->system.rows())
      if (!conditions && row.kind != RowBlock::Kind::equation)
        std::fill_n(v.begin() + row.offset, element_count(row.extents), 0.0);
    const DeviceArray right = send(v), result = poisoned(), own_v = own_part(shares.rows(), v);
    const DeviceArray own_result = send(std::vector<double>(shares.n_unknowns(), std::nan("")));
    of_one.preconditioner->apply(right.data(), result.data());
    of_all.preconditioner->apply(own_v.data(), own_result.data());
    EXPECT_LE(relative_difference(gathered(shares.unknowns(), own_result, n), fetch(result)), 1e-11);
  }
}

TEST_P(DeviceShared, NewtonFindsTheAnswerOfOneDevice) {
  const auto solver = make_device_solver(device_);
  const NewtonOptions options;
  std::vector<double> wanted(x_.size(), 0.0), first = wanted, again = wanted;
  std::shared_ptr<DeviceFactors> none;
  const NewtonResult of_one = solver->solve(a_->system, wanted, SpatialMethod::tensor, options, none, {});
  const auto together = [&](std::vector<double>& x) {
    return solver->solve_together(*ranks_, a_->system, x, options, {});
  };
  const NewtonResult of_all = together(first);
  EXPECT_EQ(of_all.status, of_one.status) << of_all.detail << " / " << of_one.detail;
  EXPECT_EQ(of_all.iterations.size(), of_one.iterations.size());
  together(again);
  EXPECT_EQ(again, first) << "two solves differ";
  if (ranks_->rank() == 0 && succeeded(of_one.status)) {
    EXPECT_LE(relative_difference(first, wanted), 1e-9);
  }
}

// One rank that is interrupted ends all.
TEST_P(DeviceShared, AllAreInterrupted) {
  const auto solver = make_device_solver(device_);
  std::vector<double> x(x_.size(), 0.0);
  const int last = ranks_->size() - 1;
  const NewtonResult result =
      solver->solve_together(*ranks_, a_->system, x, {}, [&] { return ranks_->rank() == last; });
  EXPECT_EQ(result.status, NewtonStatus::interrupted);
}

}  // namespace
}  // namespace gwrm::test
