// Windows of a sphere on the device: GMRES for linear ones, Newton's method for products of fields.
#include "problems/ball/device/device_terms.cuh"
//
#include "problems/ball/device/device_windows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "kernels/device/device_room.cuh"
#include "kernels/linear_algebra/device_vectors.cuh"
#include "problems/ball/krylov_memory.hpp"
#include "problems/ball/window_equations.hpp"
#include "solver/krylov_outcome.hpp"
#include "solver/newton_loop.hpp"

namespace gwrm::cuda {
namespace {

// Vectors of the unknowns at all nodes, and their sums by field.
class WindowVectors {
 public:
  WindowVectors(DeviceTools& tools, const ball::BallSpace& space)
      : tools_(tools), space_(space), n_(static_cast<std::size_t>(space.degrees().t * space.unknowns().size())) {
    const ball::Layout& layout = space.unknowns();
    for (std::size_t part = 0; part < space.parts().size(); ++part)
      parts_.push_back({layout.place(part, 0), layout.place(part, layout.degree() + 1) - layout.place(part, 0)});
  }

  std::size_t n() const { return n_; }
  DeviceArray take() const { return tools_.pool.take(n_); }
  DeviceArray send(const double* values) const {
    DeviceArray array = take();
    tools_.profile.upload(array.data(), values, n_);
    return array;
  }
  void fetch(const DeviceArray& array, double* values) const { tools_.profile.download(values, array.data(), n_); }

  // v.v of each part, all nodes together; in one wait.
  std::vector<std::vector<double>> squares(std::initializer_list<const double*> vectors) const {
    const auto n_nodes = static_cast<std::size_t>(space_.degrees().t), n_parts = parts_.size();
    const DeviceArray workspace = tools_.pool.take(sums_workspace()),
                      sums = tools_.pool.take(vectors.size() * n_parts * n_nodes);
    {
      const DeviceProfile::Scope scope(tools_.profile, DevicePart::krylov);
      std::size_t place = 0;
      for (const double* vector : vectors)
        for (const auto& [first, count] : parts_)
          for (std::size_t j = 0; j < n_nodes; ++j, ++place) {
            const double* const at = vector + j * static_cast<std::size_t>(space_.unknowns().size()) + first;
            VectorList self;
            self.add(at);
            dots(tools_.handles, self, at, static_cast<std::size_t>(count), workspace.data(), sums.data() + place);
          }
    }
    std::vector<double> numbers(sums.size());
    tools_.profile.download(numbers.data(), sums.data(), numbers.size());
    std::vector<std::vector<double>> result;
    std::size_t place = 0;
    for (std::size_t v = 0; v < vectors.size(); ++v) {
      result.emplace_back(n_parts, 0.0);
      for (double& sum : result.back())
        for (std::size_t j = 0; j < n_nodes; ++j) sum += numbers[place++];
    }
    return result;
  }
  // Numbers of each part, all nodes together.
  std::vector<double> counts() const {
    std::vector<double> counts;
    for (const auto& [first, n] : parts_) counts.push_back(static_cast<double>(n * space_.degrees().t));
    return counts;
  }

 private:
  DeviceTools& tools_;
  const ball::BallSpace& space_;
  std::size_t n_;
  std::vector<std::pair<Index, Index>> parts_;  // first unknown, number of unknowns
};

double sum_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

// The operations of newton_loop.hpp.
class SphereSteps {
 public:
  using Vector = DeviceArray;

  SphereSteps(DeviceTools& tools, DeviceSphere& sphere, const WindowVectors& vectors, const ball::BallSpace& space,
              const double* state, const double* sources, const GmresLimits& limits, NewtonResult& result)
      : tools_(tools),
        sphere_(sphere),
        vectors_(vectors),
        space_(space),
        state_(state),
        sources_(sources),
        limits_(limits),
        result_(result) {}

  bool residual(const Vector& x, Vector& f) {
    make(f);
    sphere_.residual(x.data(), state_, sources_, f.data());
    return std::isfinite(sum_of(vectors_.squares({f.data()}).front()));
  }
  bool linearise(const Vector& x, bool) {
    sphere_.linearise(x.data());
    return true;
  }
  template <class Accuracy>
  bool correction(const Vector& f, const Accuracy& accuracy, Vector& dx, CorrectionEffort& effort) {
    const double tolerance = accuracy(apply_preconditioner(f));
    make(dx);
    const Vector right = negative(f);
    const GmresResult gmres =
        device_gmres_in_cycles(tools_, sphere_, right.data(), dx.data(), vectors_.n(), tolerance, limits_);
    n_iterations_ += gmres.iterations;
    return goes_on(krylov_outcome(gmres), effort, result_);
  }
  Vector apply_preconditioner(const Vector& f) {
    Vector dx = negative(f);
    sphere_.precondition(dx.data(), dx.data());
    return dx;
  }
  // Root mean square of v_i / w_i, w the weights of window_equations.hpp.
  double norm(const Vector& v, const Vector& x) {
    const auto squares = vectors_.squares({x.data(), v.data()});
    const std::vector<double> sizes = ball::field_sizes(space_, squares[0], vectors_.counts());
    double sum = 0.0;
    for (std::size_t part = 0; part < squares[1].size(); ++part) {
      const double size = sizes[space_.parts()[part].field];
      if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
      sum += squares[1][part] / size / size;
    }
    return vectors_.n() == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(vectors_.n()));
  }
  double roundoff_level() const { return kUnknownRoundoff; }
  void fail_not_finite(const Vector&) {
    result_.status = NewtonStatus::not_finite;
    result_.detail = "the fields overflow";
  }
  Vector moved(const Vector& x, double factor, const Vector& dx) {
    Vector result = vectors_.take();
    cuda::moved(tools_.handles, x.data(), factor, dx.data(), result.data(), vectors_.n());
    return result;
  }
  void add(Vector& x, double factor, const Vector& dx) {
    scale_and_add(tools_.handles, factor, dx.data(), 1.0, x.data(), vectors_.n());
  }
  double root_mean_square(const Vector& f) {
    return std::sqrt(sum_of(vectors_.squares({f.data()}).front()) / static_cast<double>(vectors_.n()));
  }
  bool is_linear() const { return false; }
  int refresh_above() const { return limits_.max_iterations; }
  int n_iterations() const { return n_iterations_; }

 private:
  void make(Vector& v) const {
    if (v.empty()) v = vectors_.take();
  }
  Vector negative(const Vector& f) const {
    Vector result = vectors_.take();
    scale_and_add(tools_.handles, -1.0, f.data(), 0.0, result.data(), vectors_.n());
    return result;
  }

  DeviceTools& tools_;
  DeviceSphere& sphere_;
  const WindowVectors& vectors_;
  const ball::BallSpace& space_;
  const double *state_, *sources_;
  GmresLimits limits_;
  NewtonResult& result_;
  int n_iterations_ = 0;
};

class CudaWindows final : public ball::DeviceWindows {
 public:
  CudaWindows(const Context& context, const ball::BallModel& model, const ball::BallSpace& space,
              const ball::BallTerms& terms, const ball::EvolvingTerms& evolving, DeviceUse& use)
      : context_(context),
        space_(space),
        tools_(*context.device()),
        vectors_(tools_, space),
        memory_(space, terms, evolving),
        sphere_(tools_, model, space, terms, evolving, memory_.nodes_together()),
        use_(use) {
    tools_.profile.add_host(DevicePart::setup, clock_.seconds());
    tools_.profile.add_total(clock_.seconds());
  }

  ~CudaWindows() override {
    try {
      tools_.profile.see_memory(tools_.pool.bytes());
      const DeviceUse& own = tools_.profile.use();
      use_.add_work(own);
      use_.largest_memory = std::max(use_.largest_memory, own.largest_memory);
    } catch (...) {  // the run has failed before
    }
  }

  GmresResult solve(double window_length, const double* r, double* d, double tolerance, int max_iterations) override {
    const HostClock clock;
    sphere_.set_length(window_length);
    const DeviceArray right = vectors_.send(r), change = vectors_.take();
    const GmresResult result = device_gmres_in_cycles(tools_, sphere_, right.data(), change.data(), vectors_.n(),
                                                      tolerance, {max_iterations, memory_.cycle(), false});
    vectors_.fetch(change, d);
    tools_.profile.add_total(clock.seconds());
    return result;
  }

  Vector first_correction(const ball::DeviceWindowData& window, const std::vector<double>& x) override {
    const HostClock clock;
    const Given given = send(window);
    const DeviceArray at = vectors_.send(x.data()), f = vectors_.take();
    sphere_.residual(at.data(), given.state.data(), given.sources.data(), f.data());
    sphere_.precondition(f.data(), f.data());
    Vector result(static_cast<Index>(x.size()));
    vectors_.fetch(f, result.data());
    tools_.profile.add_total(clock.seconds());
    return -result;
  }

  NewtonResult newton(const ball::DeviceWindowData& window, std::vector<double>& x, const NewtonOptions& options,
                      const std::function<bool()>& interrupted, int& n_iterations) override {
    const HostClock clock;
    const Given given = send(window);
    NewtonResult result;
    DeviceArray at = vectors_.send(x.data());
    GmresLimits limits(ball::kMostNewtonIterations, memory_.cycle(), false);
    limits.interrupted = interrupted;
    SphereSteps steps(tools_, sphere_, vectors_, space_, given.state.data(), given.sources.data(), limits, result);
    newton_loop(steps, at, options, interrupted, result);
    n_iterations += steps.n_iterations();
    vectors_.fetch(at, x.data());
    tools_.profile.add_total(clock.seconds());
    return result;
  }

 private:
  struct Given {
    DeviceArray state, sources;
  };
  Given send(const ball::DeviceWindowData& window) {
    sphere_.set_length(window.length);
    Given given{tools_.pool.take(window.state.size()), {}};
    tools_.profile.upload(given.state.data(), window.state.data(), window.state.size());
    if (window.sources.rows() > 0) given.sources = vectors_.send(window.sources.data());
    return given;
  }

  const HostClock clock_;
  const Context context_;
  const ball::BallSpace& space_;
  DeviceTools tools_;
  WindowVectors vectors_;
  ball::KrylovMemory memory_;
  DeviceSphere sphere_;
  DeviceUse& use_;
};

class CudaWindowDevice final : public ball::WindowDevice {
 public:
  CudaWindowDevice(const Context& context, double memory_limit) : context_(context), memory_limit_(memory_limit) {}

  std::unique_ptr<ball::DeviceWindows> windows(const ball::BallModel& model, const ball::BallSpace& space,
                                               const ball::BallTerms& terms,
                                               const ball::EvolvingTerms& evolving) override {
    check_memory(space, terms, evolving);
    return std::make_unique<CudaWindows>(context_, model, space, terms, evolving, use_);
  }
  DeviceUse use() const override { return use_; }

  void check_memory(const ball::BallSpace& space, const ball::BallTerms& terms,
                    const ball::EvolvingTerms& evolving) const override {
    check_room({ball::device_memory(space, terms, evolving),
                static_cast<std::size_t>(space.degrees().t * space.unknowns().size()), memory_limit_, 0},
               "Take lower degrees of ball.degree, or run with backend: cpu");
  }

 private:
  const Context context_;
  const double memory_limit_;
  DeviceUse use_;
};

}  // namespace

std::unique_ptr<ball::WindowDevice> make_window_device(const Context& context, double memory_limit) {
  return std::make_unique<CudaWindowDevice>(context, memory_limit);
}

}  // namespace gwrm::cuda
