// The block factorisation that preconditions incompressible flow in boxes: against the whole Jacobian, and by the number
// of iterations that it leaves to GMRES.
#include <fmt/format.h>

#include <cmath>

#include "assembled.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"

namespace gwrm {
namespace {

using test::Assembled;
using test::random_vector;

// Stokes flow in a box of side 2, one window of length 0.7. nu: of the fluid, per length of the window.
std::string stokes(int degree, double diffusion) {
  return fmt::format(R"yaml(
domain: {{t: [0, 0.7], x: [-1, 1], y: [-1, 1]}}
constants: {{nu: "{}/0.7"}}
unknowns: [u, v, p]
equations:
  - "dt(u) = -dx(p) + nu*lap(u)"
  - "dt(v) = -dy(p) + nu*lap(v)"
  - "dx(u) + dy(v) = 0"
initial: {{u: "0", v: "0"}}
boundary: ["u(y=-1) = 0", "u(y=1) = 0", "v(y=-1) = 0", "v(y=1) = 0",
           "u(x=-1) = 0", "u(x=1) = 0", "v(x=-1) = 0", "v(x=1) = 0"]
resolution: {{degree: {{t: 4, x: {}, y: {}}}}}
)yaml",
                     diffusion, degree, degree);
}

// Of a right-hand side that the equations can have: rows of the highest modes of p are zero.
int iterations(Assembled& a, double tolerance, int which = 0) {
  AveragedSolver solver(a.system, SpatialMethod::saddle);
  std::vector<double> v(static_cast<std::size_t>(a.system.size()), 0.0);
  const std::vector<double> random = random_vector(a.system.size(), 3);
  for (const RowBlock& row : a.system.rows())
    if (which == 0 ? row.kind == RowBlock::Kind::equation && row.equation < 2 : which == 1 ? row.kind == RowBlock::Kind::equation && row.equation == 2 : which == 2 ? row.kind == RowBlock::Kind::degree : row.kind==RowBlock::Kind::condition)
      for (Index i = 0; i < element_count(row.extents); ++i)
        v[static_cast<std::size_t>(row.offset + i)] = random[static_cast<std::size_t>(row.offset + i)];
  EXPECT_EQ(solver.linearise(std::vector<double>(v.size(), 0.0), true).status, LinearStatus::solved);
  const LinearOutcome outcome = solver.solve(v, tolerance);
  EXPECT_EQ(outcome.status, LinearStatus::solved);
  return outcome.iterations;
}

// At most as many as a prototype in numpy, whatever the degree and the viscosity.
TEST(SaddleFactors, StokesFlowTakesFewIterations) {
  for (int degree : {16, 32, 64})
    for (double diffusion : {0.01, 1.0, 1.0e4}) {
      Assembled a(stokes(degree, diffusion));
      const int n = iterations(a, 1e-6);
      EXPECT_LE(n, 18) << "degree " << degree << ", nu h = " << diffusion;
      printf("%d %g %d\n", degree, diffusion, n);
    }
}

}  // namespace
}  // namespace gwrm
namespace gwrm { namespace {
TEST(SaddleFactors, Debug) {
  for (std::size_t which = 3; which < 12; ++which) {
      Assembled a(stokes(8, 1e-6));
  AveragedSolver solver(a.system, SpatialMethod::saddle);
  std::vector<double> zero(static_cast<std::size_t>(a.system.size()), 0.0);
  solver.linearise(zero, true);
  Linearisation at; a.system.linearise(zero, at);
  auto v = zero, y = zero;
  const auto& rows=a.system.rows();
  if(which>=rows.size()) break;
  if(rows[which].kind==RowBlock::Kind::mean) continue;
  auto r = random_vector(a.system.size(), 3);
  for (Index i = 0; i < element_count(rows[which].extents); ++i) v[rows[which].offset+i]=r[i];
  auto b = v;
  solver.apply_preconditioner(v);
  a.system.apply_jacobian(at, v, y);
  printf("block %d kind %d:", (int)which, (int)rows[which].kind);
  for (auto& row : rows) { double n=0; if(row.kind==RowBlock::Kind::mean){ for(Index i=0;i<4;++i) n=std::max(n,std::abs(y[a.system.place_of(row,i)]-b[a.system.place_of(row,i)]));printf(" mean %.1e",n);continue;} for (Index i = 0; i < element_count(row.extents); ++i) n=std::max(n,std::abs(y[row.offset+i]-b[row.offset+i])); printf(" %.1e", n);}
  printf("\n");
    }
}
} }
