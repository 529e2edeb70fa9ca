// The rules of the Krylov iteration in one Newton step: the same on every backend (solver/krylov_outcome.hpp).
#pragma once

namespace gwrm {

inline constexpr int kMaxKrylovIterations = 40;  // of GMRES in one Newton step (docs/numerics.md 4.2)
inline constexpr int kRefreshAbove = 15;         // iterations that make a fresh preconditioner worth its cost
// With constraints in boxes (saddle_operators.hpp), where more is lost by averaging: it takes twice as many. Steady
// problems have but an estimate of the factor without derivatives (lost_wind.hpp), and short vectors.
inline constexpr int kMaxSaddleIterations = 80;
inline constexpr int kMaxSteadySaddleIterations = 200;
inline constexpr int kSaddleRefreshAbove = 40;
inline constexpr int kBorrowUpTo = 12;  // with that of another window: the next window makes its own

inline constexpr const char* kSingularAverage = "the time-averaged Jacobian is singular";

}  // namespace gwrm
