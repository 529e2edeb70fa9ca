#include "problems/time_spectral/point_places.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/errors.hpp"
#include "core/log.hpp"
#include "core/patience.hpp"
#include "problems/time_spectral/march.hpp"
#include "problems/time_spectral/point_commands.hpp"

namespace gwrm {

std::vector<int> deal_points(std::size_t n_points, const std::vector<int>& shares) {
  std::vector<int> deal;
  const int largest = shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
  for (int round = 0; round < largest; ++round)
    for (std::size_t rank = shares.size(); rank-- > 0;)
      if (shares[rank] > round) deal.push_back(static_cast<int>(rank));
  std::vector<int> ranks(n_points, 0);
  for (std::size_t p = 0; p < n_points && !deal.empty(); ++p) ranks[p] = deal[p % deal.size()];
  return ranks;
}

std::vector<std::size_t> devices_of_points(const std::vector<int>& rank_of, int rank, std::size_t n_places) {
  std::vector<std::size_t> devices(rank_of.size(), 0);
  std::size_t n = 0;
  for (std::size_t p = 0; p < rank_of.size(); ++p)
    if (rank_of[p] == rank) devices[p] = n++ % n_places;
  return devices;
}

PointPlaces::PointPlaces(const RunSharing& sharing, const Context& of_run, bool tensor, double memory_limit,
                         bool shares_windows)
    : sharing_(sharing), shares_windows_(shares_windows) {
  const bool on_device = tensor || of_run.backend() == Backend::cuda;
  for (std::size_t d = 1; on_device && d < sharing_.devices.size(); ++d)
    devices_.push_back(std::make_unique<FurtherDevice>(sharing_.devices[d], of_run, tensor, memory_limit));
}

bool PointPlaces::share_windows() const {
  return shares_windows_ &&
         std::all_of(sharing_.shares.begin(), sharing_.shares.end(), [](int share) { return share > 0; });
}

std::shared_ptr<Communicator> PointPlaces::shared_ranks() {
  if (ranks_ == nullptr) ranks_ = sharing_.team->communicator();
  return ranks_;
}

std::shared_ptr<SharedAnswer> PointPlaces::begin_answer(const Case& the_case, std::size_t n_points) {
  if (n_points > 1 || !share_windows()) return nullptr;
  return std::make_shared<SharedAnswer>(the_case, *sharing_.team, [this] { return shared_ranks(); });
}

void PointPlaces::count_window() {
  const Communicator::Traffic own = ranks().traffic();
  const double sent[] = {own.sent, own.exchanged};
  const auto n = static_cast<std::size_t>(ranks().size());
  std::vector<double> all(2 * n);
  ranks().all_gather<double>(sent, std::vector<std::size_t>(n, 2), all);
  traffic_ = Communicator::Traffic{0.0, 0.0, own.by_formula};
  for (std::size_t rank = 0; rank < n; ++rank) {
    traffic_->sent += all[2 * rank];
    traffic_->exchanged += all[2 * rank + 1];
  }
}

RanksOfWindow ranks_of_window(const PointPlaces* places, std::size_t n_points) {
  if (places == nullptr || n_points > 1 || !places->share_windows()) return {};
  return {static_cast<int>(places->sharing().shares.size()), places->sharing().team->n_local()};
}

SharedPoints::SharedPoints(PointPlaces& places, const MarchInput& input)
    : places_(places),
      team_(*places.sharing().team),
      number_(places.new_number()),
      rank_of_(deal_points(input.points.size(), places.sharing().shares)),
      device_of_(devices_of_points(rank_of_, 0, 1 + places.devices().size())),
      newton_(input.settings.newton),
      interrupted_(input.interrupted),
      device_(input.settings.device.get()),
      is_of_estimate_(input.settings.lends_factors) {
  memory_.lends_factors = is_of_estimate_;
  for (std::size_t p = 0; p < rank_of_.size(); ++p)
    (rank_of_[p] == 0 && device_of_[p] == 0 ? own_ : elsewhere_).push_back(p);
  if (!places.devices().empty())
    further_.emplace(places.devices(), input.model, input.plan, input.settings, input.points, input.interrupted);
  tell(kOpenSolver, bytes_of(SolverTask{input.model.subdomains, input.points, input.settings.newton,
                                        input.settings.lends_factors, !input.plan.series.has_value()}));
  if (input.points.size() > 1 || device_ == nullptr || team_.size() == 1) return;
  tell(kPrepareTogether, {});
  prepare_together(places_.ranks(), device_);
}

SharedPoints::~SharedPoints() {
  try {
    if (begun_) finish();
    tell(kCloseSolver, {});
  } catch (...) {  // the next message fails likewise, and is told
  }
}

void SharedPoints::tell(int what, const Team::Bytes& bytes) const {
  if (team_.size() == 1) return;
  Team::Bytes command = command_bytes(what, number_, bytes);
  team_.broadcast(command);
}

void SharedPoints::begin(WindowTask window) {
  WindowTask afar = {window.method, window.start, window.end, window.subdomains, {}};
  window_ = std::move(window);
  std::vector<std::vector<const PointTask*>> near(places_.devices().size());
  std::set<int> ranks;
  for (PointTask& task : window_.points) {
    const int rank = rank_of_[task.point];
    if (rank == 0) {
      near[device_of_[task.point] - 1].push_back(&task);
    } else {
      afar.points.push_back(std::move(task));
      ranks.insert(rank);
    }
  }
  begun_ = true;
  if (further_) further_->begin(window_, std::move(near));
  if (ranks.empty()) return;
  tell(kSolveWindow, bytes_of(afar));
  n_awaited_ = ranks.size();
}

std::vector<PointAnswer> SharedPoints::finish() {
  std::vector<PointAnswer> all;
  bool all_read = true;
  const Patience patience;
  while (n_awaited_ > 0) {  // whatever they say: a rank that is not heard would wait
    const std::optional<Team::Message> message = team_.receive();
    if (!message) {
      patience.pause();
      continue;
    }
    --n_awaited_;
    std::optional<std::vector<PointAnswer>> answers = point_answers_of(message->bytes);
    all_read &= answers.has_value();
    if (answers) std::move(answers->begin(), answers->end(), std::back_inserter(all));
  }
  begun_ = false;
  if (further_)
    for (PointAnswer& answer : further_->finish()) all.push_back(std::move(answer));
  if (!all_read) throw ShapeError(kOtherPrograms);
  return all;
}

void SharedPoints::begin_together(const WindowTask& task) {
  tell(kShareWindow, bytes_of(task));
  method_ = task.method;
  begun_together_ = true;
}

// Where a rank could not set the window up all answer, so that it is heard.
std::optional<NewtonResult> SharedPoints::solve_together(Window* window) {
  begun_together_ = false;
  std::exception_ptr failed;
  try {
    if (std::optional<NewtonResult> result =
            gwrm::solve_together(places_.ranks(), window, method_, newton_, interrupted_, device_, memory_)) {
      places_.count_window();
      return result;
    }
  } catch (...) {
    failed = std::current_exception();
  }
  n_awaited_ = static_cast<std::size_t>(team_.size()) - 1;
  const std::vector<PointAnswer> answers = finish();
  if (window == nullptr) return {};
  if (failed) std::rethrow_exception(failed);
  for (const PointAnswer& answer : answers)
    if (answer.error) std::rethrow_exception(answer.error);
  throw ShapeError("a rank has not begun a shared window");
}

void SharedPoints::stay_alone(const std::string& reason, const std::string& case_path) {
  if (team_.size() == 1) return;
  if (!places_.traffic() && !is_of_estimate_) refuse_ranks(case_path, team_.size(), reason);
  if (std::exchange(told_, reason) != reason) logger().warn("rank 0 solves windows alone: {}", reason);
}

}  // namespace gwrm
