#include "weighted_residual/preconditioner/shared_instantaneous.hpp"

#include "weighted_residual/preconditioner/shared_wavenumbers.hpp"

namespace gwrm {
namespace {

using Real = std::vector<double>;

enum Question {
  kEnd,
  kRows,
  kFactor,
  kPrecondition,
  kApply
};  // all else is 0: the largest of what the ranks say is rank 0's

// What every rank has of it, and does.
class Share {
 public:
  Share(const WindowSystem& system, Communicator& ranks)
      : system_(system), ranks_(ranks), window_(system, ranks), at_rest_(own(window_.unknowns())) {}

  Question ask(Question question) { return static_cast<Question>(ranks_.agree(question)); }

  // whole: of rank 0.
  void rows(Real& whole) {
    Real f(own(window_.rows()));
    window_.residual(at_rest_, f);
    window_.rows().collect(ranks_, f, whole);
  }

  LuStatus factor() {
    window_.linearise(at_rest_, linearised_);
    inverse_ = std::make_unique<SharedWavenumbers>(system_, window_, ranks_,
                                                   SharedModes(system_.discretisation().time()->length()),
                                                   window_.rows(), window_.unknowns());
    return inverse_->factor(linearised_);
  }

  void precondition(std::span<const double> b, std::span<double> x) {
    Real own_b(own(window_.rows())), own_x(own(window_.unknowns()));
    window_.rows().hand_out(ranks_, b, own_b);
    inverse_->apply(own_b, own_x);
    window_.unknowns().collect(ranks_, own_x, x);
  }

  void apply(std::span<const double> x, std::span<double> b) {
    Real own_x(own(window_.unknowns())), own_b(own(window_.rows()));
    window_.unknowns().hand_out(ranks_, x, own_x);
    window_.apply_jacobian(linearised_, own_x, own_b);
    window_.rows().collect(ranks_, own_b, b);
  }

 private:
  std::size_t own(const SharedVectors& vectors) const {
    return static_cast<std::size_t>(vectors.size_of(ranks_.rank()));
  }

  const WindowSystem& system_;
  Communicator& ranks_;
  SharedWindow window_;
  const Real at_rest_;
  SharedLinearisation linearised_;
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

  LuStatus factor() override {
    share_.ask(kFactor);
    return share_.factor();
  }

  void precondition(std::span<const double> b, std::span<double> x) override {
    share_.ask(kPrecondition);
    share_.precondition(b, x);
  }

  void apply(std::span<const double> x, std::span<double> b) override {
    share_.ask(kApply);
    share_.apply(x, b);
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
        share.factor();
        break;
      case kPrecondition:
        share.precondition(none, none);
        break;
      case kApply:
        share.apply(none, none);
        break;
    }
}

}  // namespace gwrm
