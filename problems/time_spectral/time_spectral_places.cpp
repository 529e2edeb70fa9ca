// Where a run of problem: time_spectral is computed besides its own threads: devices, other ranks; and the side of
// those.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "core/blas.hpp"
#include "core/log.hpp"
#include "core/memory.hpp"
#include "output/device_report.hpp"
#include "problems/time_spectral/point_places.hpp"
#include "problems/time_spectral/time_spectral.hpp"

namespace gwrm {

// Only the dense solver has its device versions; sending every small transform of the others across would make them
// slower.
// (An automatic run may begin with few unknowns, for the dense one, but it does not stay there.)
bool TimeSpectral::stays_dense() const {
  return is_dense(choice_.method) &&
         (!case_.resolution.automatic() || case_.solver.linear != LinearSolverChoice::automatic);
}

namespace {

bool has_points(const Model& model) {
  for (int axis = 0; axis < static_cast<int>(model.axes.size()); ++axis)
    if (model.is_collocated(axis)) return true;
  return false;
}

}  // namespace

// The points of collocated parameters are shared out; without them ranks have windows together.
std::string TimeSpectral::no_sharing() const {
  if (has_points(model_)) return {};
  return choose_shared_method(case_, model_, plan_, model_.subdomains, choice_, newton_options(case_)).reason;
}

// Devices of a process take points alone.
bool TimeSpectral::takes_several_devices() const {
  return has_points(model_);
}

void TimeSpectral::open_places(const Context& given, const RunControl& control) {
  const bool shares_windows = control.sharing && !has_points(model_) && control.sharing->team->is_of_launcher();
  if (shares_windows)
    choice_ = choose_shared_method(case_, model_, plan_, model_.subdomains, choice_, newton_options(case_)).choice;
  open_device(given);
  if (!control.sharing || !(has_points(model_) || shares_windows)) return;
  places_ = std::make_unique<PointPlaces>(*control.sharing,
                                          stays_dense() || device_ != nullptr ? given : given.without_device(),
                                          device_ != nullptr, case_.solver.memory_gb * 1e9, shares_windows);
  if (!places_->are_several() && !shares_windows) places_.reset();
}

// The tensor, the wavenumber and the saddle method have device versions of their own; everything around them stays on
// the host.
std::string TimeSpectral::device_refusal() const {
  const SpatialMethod method = choice_.method == LinearMethod::wavenumber ? SpatialMethod::wavenumber
                               : choice_.method == LinearMethod::saddle   ? SpatialMethod::saddle
                                                                          : SpatialMethod::tensor;
  std::string unsupported_reason = plan_.series
                                       ? "beside the tensor preconditioner products of series are formed on the CPU"
                                       : device_unsupported_reason(model_, plan_, model_.subdomains, method);
  const GlobalisationChoice globalisation = case_.solver.newton.globalisation;
  if (unsupported_reason.empty() && globalisation != GlobalisationChoice::natural &&
      globalisation != GlobalisationChoice::none)
    unsupported_reason = "its Newton iteration is globalised as `natural` or not at all";
  if (unsupported_reason.empty() && choice_.method != LinearMethod::tensor &&
      choice_.method != LinearMethod::wavenumber && choice_.method != LinearMethod::saddle &&
      !case_.resolution.automatic())
    unsupported_reason =
        "it has no device version; solver: {linear: dense} and, in two or three dimensions, {linear: tensor} have";
  return unsupported_reason;
}

std::string TimeSpectral::describe_device() const {
  const std::string refusal = device_refusal();
  const std::optional<SpatialMethod> method = device_method(choice_.method, model_, plan_, model_.subdomains);
  if (!refusal.empty() || !method) return "the windows are solved on the CPU: " + refusal;
  const double bytes = device_memory_of(model_, plan_, model_.subdomains, *method);
  return fmt::format("takes the whole solve of a window, up to {} of its memory",
                     format_bytes(static_cast<std::size_t>(std::min(bytes, 9e18))));
}

void TimeSpectral::open_device(const Context& given) {
  if (given.backend() != Backend::cuda || stays_dense()) return;
  if (const std::string refusal = device_refusal(); !refusal.empty()) {
    logger().info("this solver runs on the CPU: {}", refusal);
    return;
  }
  device_ = make_device_solver(given, case_.solver.memory_gb * 1e9);
  device_required_ = given.device_required();
}

// The times of several devices are added, as those of threads are.
void TimeSpectral::close_places(RunReport& report) {
  std::vector<DeviceUse> uses;
  if (device_ != nullptr) uses.push_back(device_->use());
  if (places_ != nullptr)
    for (const auto& device : places_->devices())
      if (device->solver() != nullptr) uses.push_back(device->use());
  if (!uses.empty()) {
    DeviceUse all = uses.front();
    for (std::size_t d = 1; d < uses.size(); ++d) {
      all.add_work(uses[d]);
      all.largest_memory += uses[d].largest_memory;
    }
    add_use(all, report);
  }
  if (places_ != nullptr && places_->traffic()) {
    report.n_ranks = places_->ranks().size();
    report.bytes_exchanged = places_->traffic()->exchanged;
    report.bytes_by_formula = places_->traffic()->by_formula;
    report.bytes_gathered = places_->traffic()->sent - places_->traffic()->exchanged;
  }
  places_.reset();
  device_.reset();
}

void TimeSpectral::help(const Context& given, const RunControl& control) {
  std::exception_ptr failed;
  try {
    open_places(given, control);
  } catch (...) {  // rank 0 hears of it with the first answer
    failed = std::current_exception();
    places_ = std::make_unique<PointPlaces>(*control.sharing, given.without_device(), false, 0.0);
  }
  const Context context = stays_dense() ? given : given.without_device();
  set_blas_threads(1);
  const MarchSettings settings{
      newton_options(case_), case_.solver.predictor, case_.resolution, device_, device_required_, 0.0, false};
  AnswerHelper answer(case_);
  serve_points(*places_, context, model_, plans_.on(context.backend()), settings, answer, control.interrupted, failed);
  places_.reset();
  device_.reset();
}

}  // namespace gwrm
