#include <algorithm>
#include <array>
#include <vector>

#include "core/thread_errors.hpp"
#include "kernels/recurrence/recurrence_solver.hpp"

namespace gwrm::cpu {
namespace {

// Values not set, so that the thread that computes a part of them touches it first.
template <class Value>
std::unique_ptr<Value[]> uninitialised(Index n) {
  return std::unique_ptr<Value[]>(new Value[static_cast<std::size_t>(n)]);
}

template <class Value>
void copy_points(const Value* values, std::span<const Index> points, double* u) {
  for (std::size_t i = 0; i < points.size(); ++i) u[i] = static_cast<double>(values[points[i]]);
}

// to[i] = f_i, evaluated once by all threads.
template <class Value>
void evaluate_all(const Context& context, const RecurrenceSource& f, Index n, Value* to) {
  const Index n_chunks = static_cast<Index>(recurrence_workspace_size(n));
  ThreadErrors errors;
#pragma omp parallel for schedule(static) num_threads(context.n_threads())
  for (Index c = 0; c < n_chunks; ++c)
    errors.run([&] {
      std::array<double, kRecurrenceChunk> buffer;
      const Index first = c * kRecurrenceChunk, m = std::min(kRecurrenceChunk, n - first);
      std::copy_n(f.fetch(first, m, buffer.data()), m, to + first);
    });
  errors.rethrow();
}

// A right-hand side that is an expression is evaluated once, into the array of the solution, which the second pass
// replaces value by value: on a CPU a cosine costs more than reading a number again. Not in single precision, which
// would round it.
template <class Value>
class BlockSolver : public RecurrenceSolver {
 public:
  BlockSolver(const Context& context, const RecurrenceOperator& op, const RecurrenceSource& source, Index n)
      : context_(context),
        op_(op),
        source_(source),
        n_(n),
        u_(uninitialised<Value>(n)),
        workspace_(recurrence_workspace_size(n)) {}

  RecurrenceState totals() override {
    if constexpr (std::is_same_v<Value, double>) {
      if (source_.evaluate) {
        evaluate_all(context_, source_, n_, u_.get());
        source_ = {u_.get(), nullptr, {}};
      }
    }
    return recurrence_totals(context_, op_, source_, n_, workspace_);
  }

  void fill(const RecurrenceState& start, double shift) override {
    RecurrenceSource f = source_;
    if (shift != 0.0) {
      f = {nullptr, nullptr, [this, shift](Index first, Index m, double* to) {
             const double* const values = source_.fetch(first, m, to);
             for (Index j = 0; j < m; ++j) to[j] = values[j] + shift;
           }};
      recurrence_totals(context_, op_, f, n_, workspace_);
    }
    recurrence_fill(context_, op_, f, start, n_, workspace_, u_.get());
  }

  void gather(std::span<const Index> points, double* u) const override { copy_points(u_.get(), points, u); }

 private:
  Context context_;
  RecurrenceOperator op_;
  RecurrenceSource source_;
  Index n_;
  std::unique_ptr<Value[]> u_;
  std::vector<RecurrenceState> workspace_;
};

template <class Value>
class PaperSolution : public GridSolution {
 public:
  PaperSolution(const Context& context, PaperAlgorithm algorithm, Index columns, const RecurrenceSource& d, Index n)
      : u_(uninitialised<Value>(n)) {
    evaluate_all(context, d, n, u_.get());
    paper_recurrence(context, algorithm, columns, std::span<Value>(u_.get(), static_cast<std::size_t>(n)));
  }
  void gather(std::span<const Index> points, double* u) const override { copy_points(u_.get(), points, u); }

 private:
  std::unique_ptr<Value[]> u_;
};

}  // namespace

std::unique_ptr<RecurrenceSolver> make_recurrence_solver(const Context& context, const RecurrenceOperator& op,
                                                         const RecurrenceSource& source, Index n_points,
                                                         bool single_precision) {
  if (single_precision) return std::make_unique<BlockSolver<float>>(context, op, source, n_points);
  return std::make_unique<BlockSolver<double>>(context, op, source, n_points);
}

std::unique_ptr<GridSolution> solve_by_paper(const Context& context, PaperAlgorithm algorithm, Index columns,
                                             const RecurrenceSource& d, Index n) {
  if (is_single(algorithm)) return std::make_unique<PaperSolution<float>>(context, algorithm, columns, d, n);
  return std::make_unique<PaperSolution<double>>(context, algorithm, columns, d, n);
}

}  // namespace gwrm::cpu
