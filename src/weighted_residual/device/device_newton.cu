// Newton's iteration on the device.
#include "weighted_residual/device/device_window.cuh"
//
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "kernels/device/device_room.cuh"
#include "kernels/device/run_time_compiler.hpp"
#include "kernels/linear_algebra/device_vectors.cuh"
#include "kernels/transform/blas_warm_up.cuh"
#include "solver/krylov_outcome.hpp"
#include "solver/newton_loop.hpp"
#include "weighted_residual/device/device_instantaneous.cuh"
#include "weighted_residual/device/device_krylov_step.cuh"
#include "weighted_residual/device/device_solver.hpp"
#include "weighted_residual/preconditioner/krylov_limits.hpp"

namespace gwrm::cuda {
namespace {

// The operations of newton_loop.hpp; system and solver in one.
class DeviceSteps {
 public:
  using Vector = DeviceArray;

  DeviceSteps(DeviceTools& tools, DeviceWindow& window, WindowSystem& system, SpatialMethod method,
              std::shared_ptr<DevicePreconditioner>& preconditioner, BlasWarmUp& complex_products, NewtonResult& result,
              const std::function<bool()>& interrupted)
      : tools_(tools),
        window_(window),
        system_(system),
        method_(method),
        preconditioner_(preconditioner),
        complex_products_(complex_products),
        result_(result),
        interrupted_(interrupted),
        step_(window) {}

  bool residual(const Vector& x, Vector& f) {
    make(f, window_.n_rows());
    window_.residual(x.data(), f.data());
    return std::isfinite(squares({{f.data(), 0, window_.n_rows()}}).front());
  }

  bool linearise(const Vector& x, bool fresh) {
    if (!linearised_ || !system_.is_linear()) window_.linearise(x.data());
    linearised_ = true;
    if (preconditioner_ != nullptr && (!fresh || system_.is_linear())) return true;
    const HostClock clock;
    preconditioner_.reset();
    step_.use(nullptr);  // which holds it, too: there may be no room for two
    means_.clear();
    DevicePreconditionerResult made = make_preconditioner(
        tools_, system_, method_, [&](int coefficient, int axis) { return mean(coefficient, axis); },
        [&] { complex_products_.wait(); }, window_.shares());
    ++result_.n_factorisations;
    if (!goes_on(factorisation_outcome(made.status, [] { return kSingularAverage; }), result_)) return false;
    preconditioner_ = std::move(made.preconditioner);
    tools_.profile.add_host(DevicePart::factorisation, clock.seconds());
    return true;
  }

  template <class Accuracy>
  bool correction(const Vector& f, const Accuracy& accuracy, Vector& dx, CorrectionEffort& effort) {
    const double tolerance = accuracy(apply_preconditioner(f));
    make(dx, window_.n_unknowns());
    const Vector right = negative(f);
    step_.use(preconditioner_);
    const GmresResult gmres =
        device_gmres(tools_, step_, right.data(), dx.data(), window_.n_rows(), window_.n_unknowns(), tolerance,
                     {method_ == SpatialMethod::saddle ? kMaxSaddleIterations : kMaxKrylovIterations, interrupted_});
    return goes_on(krylov_outcome(gmres), effort, result_);
  }

  Vector apply_preconditioner(const Vector& f) {
    const Vector right = negative(f);
    Vector dx = tools_.pool.take(window_.n_unknowns());
    preconditioner_->apply(right.data(), dx.data());
    return dx;
  }

  double norm(const Vector& v, const Vector& x) {
    std::vector<Part> parts;
    const DeviceShares* shares = window_.shares();
    const std::size_t n_fields = system_.layouts().size();
    for (const Vector* vector : {&x, &v})
      for (std::size_t f = 0; f < n_fields; ++f) {
        const FieldLayout& layout = system_.layouts()[f];
        if (shares != nullptr)
          parts.push_back(
              {vector->data(), shares->unknowns()[f].offset, static_cast<std::size_t>(shares->unknowns()[f].n_own())});
        else
          parts.push_back({vector->data(), layout.offset, static_cast<std::size_t>(element_count(layout.extents))});
      }
    const std::vector<double> sums = squares(parts);
    std::vector<double> sizes;
    for (std::size_t f = 0; f < n_fields; ++f)
      sizes.push_back(
          std::sqrt(sums[f] / static_cast<double>(std::max<Index>(1, element_count(system_.layouts()[f].extents)))));
    sizes = system_.field_weights(std::move(sizes));
    double sum = 0.0;
    for (std::size_t f = 0; f < n_fields; ++f) {
      if (!std::isfinite(sizes[f])) return std::numeric_limits<double>::infinity();
      sum += sums[n_fields + f] / sizes[f] / sizes[f];
    }
    return system_.size() == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(system_.size()));
  }

  double roundoff_level() const { return kUnknownRoundoff; }

  void fail_not_finite(const Vector& x) {
    result_.status = NewtonStatus::not_finite;
    const DeviceShares* shares = window_.shares();
    DeviceArray collected;
    if (shares != nullptr) {
      if (shares->rank() == 0) collected = tools_.pool.take(static_cast<std::size_t>(system_.size()));
      shares->collect(tools_, x.data(), collected.data());
      if (shares->rank() != 0) return;  // rank 0 tells it
    }
    std::vector<double> on_host(static_cast<std::size_t>(system_.size()));
    tools_.profile.download(on_host.data(), shares != nullptr ? collected.data() : x.data(), on_host.size());
    result_.detail = system_.locate_not_finite(on_host);
  }

  Vector moved(const Vector& x, double factor, const Vector& dx) {
    Vector result = tools_.pool.take(window_.n_unknowns());
    cuda::moved(tools_.handles, x.data(), factor, dx.data(), result.data(), window_.n_unknowns());
    return result;
  }
  void add(Vector& x, double factor, const Vector& dx) {
    scale_and_add(tools_.handles, factor, dx.data(), 1.0, x.data(), window_.n_unknowns());
  }
  double root_mean_square(const Vector& f) {
    return std::sqrt(squares({{f.data(), 0, window_.n_rows()}}).front() /
                     static_cast<double>(std::max<Index>(1, system_.size())));
  }
  bool is_linear() const { return system_.is_linear(); }
  int refresh_above() const { return method_ == SpatialMethod::saddle ? kSaddleRefreshAbove : kRefreshAbove; }

 private:
  struct Part {
    const double* data;
    Index offset;
    std::size_t size;
  };

  void make(Vector& v, std::size_t n) {
    if (v.empty()) v = tools_.pool.take(n);
  }
  Vector negative(const Vector& f) {
    Vector result = tools_.pool.take(window_.n_rows());
    scale_and_add(tools_.handles, -1.0, f.data(), 0.0, result.data(), window_.n_rows());
    return result;
  }

  std::vector<double> squares(const std::vector<Part>& parts) {
    const DeviceArray workspace = tools_.pool.take(sums_workspace()), sums = tools_.pool.take(parts.size());
    {
      const DeviceProfile::Scope scope(tools_.profile, DevicePart::krylov);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        VectorList self;
        self.add(parts[i].data + parts[i].offset);
        dots(tools_.handles, self, parts[i].data + parts[i].offset, parts[i].size, workspace.data(), sums.data() + i);
      }
    }
    if (tools_.team != nullptr) {
      const DeviceTeam::Values own{sums.data(), parts.size()};
      tools_.team->add_up({&own, 1});
      tools_.team->wait();
    }
    std::vector<double> result(parts.size());
    tools_.profile.download(result.data(), sums.data(), result.size());
    return result;
  }

  // Several terms ask for the same mean.
  const gwrm::Vector& mean(int coefficient, int axis) {
    const auto [known, is_new] = means_.try_emplace({coefficient, axis});
    if (is_new) known->second = window_.coefficient_mean(coefficient, axis);
    return known->second;
  }

  DeviceTools& tools_;
  DeviceWindow& window_;
  WindowSystem& system_;
  SpatialMethod method_;
  std::shared_ptr<DevicePreconditioner>& preconditioner_;
  BlasWarmUp& complex_products_;
  NewtonResult& result_;
  const std::function<bool()>& interrupted_;
  JacobianStep step_;
  bool linearised_ = false;
  std::map<std::pair<int, int>, gwrm::Vector> means_;
};

}  // namespace

class CudaSolver final : public DeviceSolver {
 public:
  CudaSolver(const Context& device, double memory_limit)
      : device_(device), memory_limit_(memory_limit), tools_(*device_.device()) {}

  NewtonResult solve(WindowSystem& system, std::vector<double>& x, SpatialMethod method, const NewtonOptions& options,
                     std::shared_ptr<DeviceFactors>& factors, const std::function<bool()>& interrupted) override {
    const HostClock clock;
    window_of(system, method);
    // Gone with this call however it ends: the next system may have this one's address.
    const std::unique_ptr<DeviceWindow> own = std::move(window_);
    DeviceWindow& window = *own;
    auto preconditioner = std::static_pointer_cast<DevicePreconditioner>(std::move(factors));
    NewtonResult result;
    DeviceArray on_device = tools_.pool.take(window.n_unknowns());
    if (is_zero(x))
      GWRM_DEVICE(cudaMemsetAsync(on_device.data(), 0, x.size() * sizeof(double), tools_.handles.stream));
    else
      tools_.profile.upload(on_device.data(), x.data(), x.size());
    DeviceSteps steps(tools_, window, system, method, preconditioner, complex_products_, result, interrupted);
    newton_loop(steps, on_device, options, interrupted, result);
    tools_.profile.download(x.data(), on_device.data(), x.size());
    tools_.profile.see_memory(tools_.pool.bytes() + (preconditioner ? preconditioner->own_bytes() : 0));
    factors = std::move(preconditioner);
    tools_.profile.add_total(clock.seconds());
    return result;
  }

  void prepare_together(Communicator& ranks) override {
    if (team_ == nullptr) team_ = std::make_unique<DeviceTeam>(ranks, *device_.device());
  }

  NewtonResult solve_together(Communicator& ranks, WindowSystem& system, std::vector<double>& x,
                              const NewtonOptions& options, const std::function<bool()>& interrupted) override {
    const HostClock clock;
    window_.reset();
    real_products_.wait();
    prepare_together(ranks);
    const SharedTools together(tools_, *team_);
    const std::string& no_compiler = run_time_compiler_missing();
    if (!no_compiler.empty()) say_that_equations_are_interpreted(no_compiler);
    DeviceWindow window(tools_, programs_, system, !no_compiler.empty(),
                        std::make_unique<const DeviceShares>(system, *team_));
    team_->wait_for_link();
    tools_.profile.add_host(DevicePart::setup, clock.seconds());
    const DeviceShares& shares = *window.shares();
    DeviceArray whole, on_device = tools_.pool.take(window.n_unknowns());
    if (ranks.rank() == 0) whole = tools_.pool.take(x.size());
    if (ranks.agree(is_zero(x) ? 0 : 1) == 0) {
      GWRM_DEVICE(cudaMemsetAsync(on_device.data(), 0, on_device.size() * sizeof(double), tools_.handles.stream));
    } else {
      if (ranks.rank() == 0) tools_.profile.upload(whole.data(), x.data(), x.size());
      shares.deal_out(tools_, whole.data(), on_device.data());
    }
    std::function<bool()> by_any;
    if (interrupted) by_any = [&] { return ranks.agree(interrupted() ? 1 : 0) != 0; };
    NewtonResult result;
    std::shared_ptr<DevicePreconditioner> preconditioner;
    DeviceSteps steps(tools_, window, system, SpatialMethod::tensor, preconditioner, complex_products_, result, by_any);
    newton_loop(steps, on_device, options, by_any, result);
    shares.collect(tools_, on_device.data(), whole.data());
    team_->wait();
    if (ranks.rank() == 0) tools_.profile.download(x.data(), whole.data(), x.size());
    tools_.profile.see_memory(tools_.pool.bytes() + (preconditioner ? preconditioner->own_bytes() : 0));
    tools_.profile.add_total(clock.seconds());
    return result;
  }

  void check_room_together(const WindowSystem& system, int n_ranks) const override {
    check_room(
        {device_memory_of(system.model(), system.plan(), system.discretisation().subdomains(), SpatialMethod::tensor) /
             n_ranks,
         static_cast<std::size_t>(system.size()), memory_limit_, tools_.pool.bytes()},
        "Take more ranks, each with a GPU, lower resolution.degree, or more time windows of lower degree "
        "(resolution.domains.t)");
  }

  double residual_size(WindowSystem& system, SpatialMethod method, const std::vector<double>& x) override {
    const HostClock clock;
    DeviceWindow& window = window_of(system, method);
    const DeviceArray on_device = tools_.pool.take(window.n_unknowns()), f = tools_.pool.take(window.n_unknowns());
    const DeviceArray workspace = tools_.pool.take(sums_workspace()), square = tools_.pool.take(1);
    tools_.profile.upload(on_device.data(), x.data(), x.size());
    window.residual(on_device.data(), f.data());
    VectorList self;
    self.add(f.data());
    dots(tools_.handles, self, f.data(), window.n_unknowns(), workspace.data(), square.data());
    double result = 0.0;
    tools_.profile.download(&result, square.data(), 1);
    tools_.profile.add_total(clock.seconds());
    return std::isfinite(result) ? result : std::numeric_limits<double>::infinity();
  }

  std::unique_ptr<InstantaneousSystem> instantaneous(WindowSystem& system, const SpatialLayout& layout,
                                                     SpatialMethod method) override {
    if (method != SpatialMethod::wavenumber) return instantaneous_on_cpu(system, layout);
    const HostClock clock;
    real_products_.wait();
    auto result =
        std::make_unique<DeviceInstantaneous>(tools_, programs_, system, !run_time_compiler_missing().empty());
    tools_.profile.add_host(DevicePart::setup, clock.seconds());
    tools_.profile.add_total(clock.seconds());
    return result;
  }

  DeviceUse use() override { return tools_.profile.use(); }

 private:
  // Kept from the choice of a first guess to the solve.
  DeviceWindow& window_of(WindowSystem& system, SpatialMethod method) {
    if (window_ != nullptr && &window_->system() == &system) return *window_;
    const HostClock clock;
    window_.reset();
    check_memory(system, method);
    const std::string& no_compiler = run_time_compiler_missing();
    if (!no_compiler.empty()) say_that_equations_are_interpreted(no_compiler);
    real_products_.wait();
    window_ = std::make_unique<DeviceWindow>(tools_, programs_, system, !no_compiler.empty());
    tools_.profile.add_host(DevicePart::setup, clock.seconds());
    return *window_;
  }

  void check_memory(const WindowSystem& system, SpatialMethod method) const {
    check_room(
        {device_memory_of(system.model(), system.plan(), system.discretisation().subdomains(), method),
         static_cast<std::size_t>(system.size()), memory_limit_, tools_.pool.bytes()},
        "Lower resolution.degree, use more time windows of lower degree (resolution.domains.t), share the window "
        "among several GPUs (mpirun, a rank for each), or run with backend: cpu");
  }

  // What the parts of a window do together they do while this lives.
  struct SharedTools {
    SharedTools(DeviceTools& shared, DeviceTeam& team) : tools(shared) { tools.team = &team; }
    ~SharedTools() { tools.team = nullptr; }
    SharedTools(const SharedTools&) = delete;
    SharedTools& operator=(const SharedTools&) = delete;
    DeviceTools& tools;
  };

  const Context device_;
  const double memory_limit_;
  BlasWarmUp real_products_{BlasWarmUp::Numbers::real}, complex_products_{BlasWarmUp::Numbers::complex};
  DeviceTools tools_;
  DevicePrograms programs_;
  std::unique_ptr<DeviceTeam> team_;
  std::unique_ptr<DeviceWindow> window_;
};

std::unique_ptr<DeviceSolver> make_device_solver(const Context& device, double memory_limit) {
  return std::make_unique<CudaSolver>(device, memory_limit);
}

}  // namespace gwrm::cuda
