#include "weighted_residual/preconditioner/shared_instantaneous.hpp"

#include <algorithm>

#include "weighted_residual/preconditioner/shared_wavenumbers.hpp"

namespace gwrm {
namespace {

using Complex = std::complex<double>;
using Real = std::vector<double>;

enum Question { kEnd, kRows, kFactor, kSolve };  // all else is 0: the largest of what the ranks say is rank 0's

// What every rank has of it, and does.
class Share {
 public:
  Share(const WindowSystem& system, Communicator& ranks)
      : system_(system),
        ranks_(ranks),
        window_(system, ranks),
        n_times_(SpatialLayout(system).n_times),
        at_rest_(own(window_.unknowns())) {}

  Question ask(Question question) { return static_cast<Question>(ranks_.agree(question)); }

  // whole: of rank 0.
  void rows(Real& whole) {
    Real f(own(window_.rows()));
    window_.residual(at_rest_, f);
    window_.rows().collect(ranks_, f, whole);
  }

  LuStatus factor(double z, WavenumberOperators* operators) {
    ranks_.broadcast(reinterpret_cast<std::byte*>(&z), sizeof(z), 0);
    SharedLinearisation at_x;
    window_.linearise(at_rest_, at_x);
    inverse_ =
        std::make_unique<SharedWavenumbers>(system_, window_, ranks_, SharedModes(z),
                                            window_.rows().of_one_in(n_times_), window_.unknowns().of_one_in(n_times_));
    return inverse_->factor(at_x, operators);
  }

  void solve(const Real& b, Real& x) {
    Real own_b(own(inverse_->rows())), own_x(own(inverse_->unknowns()));
    inverse_->rows().hand_out(ranks_, b, own_b);
    inverse_->apply(own_b, own_x);
    inverse_->unknowns().collect(ranks_, own_x, x);
  }

 private:
  std::size_t own(const SharedVectors& vectors) const {
    return static_cast<std::size_t>(vectors.size_of(ranks_.rank()));
  }

  const WindowSystem& system_;
  Communicator& ranks_;
  SharedWindow window_;
  Index n_times_;
  const Real at_rest_;
  std::unique_ptr<SharedWavenumbers> inverse_;
};

class Asking final : public InstantaneousSystem {
 public:
  Asking(const WindowSystem& system, Communicator& ranks) : system_(system), share_(system, ranks) {}
  ~Asking() override {
    try {
      share_.ask(kEnd);
    } catch (...) {  // who does not hear it is lost, and says so
    }
  }

  std::vector<double> rows() override {
    share_.ask(kRows);
    Real whole(static_cast<std::size_t>(system_.size()));
    share_.rows(whole);
    return whole;
  }

  FactorResult factors(double z) override {
    share_.ask(kFactor);
    WavenumberOperators operators;
    if (const LuStatus status = share_.factor(z, &operators); status != LuStatus::regular) return {nullptr, status};
    const auto solve = [this](std::span<const Complex> b, std::span<Complex> x) {
      share_.ask(kSolve);
      Real right(b.size()), solution(x.size());
      std::transform(b.begin(), b.end(), right.begin(), [](Complex value) { return value.real(); });
      share_.solve(right, solution);
      std::copy(solution.begin(), solution.end(), x.begin());
    };
    return {wavenumber_products(std::move(operators), system_.context().n_threads(), solve), LuStatus::regular};
  }

 private:
  const WindowSystem& system_;
  Share share_;
};

}  // namespace

std::unique_ptr<InstantaneousSystem> shared_instantaneous(const WindowSystem& system, Communicator& ranks) {
  return std::make_unique<Asking>(system, ranks);
}

void serve_instantaneous(const WindowSystem& system, Communicator& ranks) {
  Share share(system, ranks);
  Real none;
  while (true) switch (share.ask(kEnd)) {
      case kEnd:
        return;
      case kRows:
        share.rows(none);
        break;
      case kFactor:
        share.factor(0.0, nullptr);
        break;
      case kSolve:
        share.solve(none, none);
        break;
    }
}

}  // namespace gwrm
