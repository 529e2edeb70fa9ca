#include "cli/shared_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "api/run_steps.hpp"
#include "cli/interrupt.hpp"
#include "cli/visible_devices.hpp"
#include "core/counted.hpp"
#include "core/devices.hpp"
#include "core/threads.hpp"
#include "problems/task_farm/farm_places.hpp"

namespace gwrm::cli {
namespace {

// What all ranks do alike, each for itself.
FarmWishes wishes_of(const Options& options, const Case& the_case, const Summary& summary) {
  const int usual = summary.one_thread ? 1 : 0;
  return {worthwhile(backend_choice(options, the_case), summary.device_pays),
          options.threads > 0 ? options.threads : usual, 1};
}

// Where there is not even the memory to answer rank 0: the launcher then ends all.
[[noreturn]] void end_all(int rank, const std::exception& error) {
  logger().error("rank {} cannot help: {}", rank, error.what());
  std::_Exit(static_cast<int>(ExitStatus::resources));
}

void wait_for_end(Team& team) {
  for (Team::Bytes command{0}; !command.empty();) team.broadcast(command);
}

int share_of(const FarmPlaces& places) {
  if (places.without_device) return 0;
  return places.on_devices() ? static_cast<int>(places.devices.size()) : places.n_threads;
}

SharedRun shared(Team& team, const FarmPlaces& places, const std::vector<std::uint64_t>& shares) {
  if (places.on_devices()) use_device(places.devices.front());
  set_spare_threads(0);
  // Under `auto` the context says why there is no device.
  SharedRun run{Context::create(places.without_device ? BackendChoice::cpu : places.backend, places.n_threads), {}};
  run.sharing = RunSharing{&team, {shares.begin(), shares.end()}, places.devices};
  return run;
}

// What a rank does on a device it does on one, but for points.
void see_devices_of(const Problem& problem, BackendChoice backend, int local_rank) {
  if (backend != BackendChoice::cpu && !problem.takes_several_devices()) see_one_device(local_rank);
}

SharedRun run_alone(Team& team, const Options& options, const Case& the_case, const Problem& problem) {
  see_devices_of(problem, worthwhile(backend_choice(options, the_case), problem.summary().device_pays), 0);
  SharedRun run{context_for(problem.summary(), backend_choice(options, the_case), options.threads), {}};
  if (run.context.backend() == Backend::cpu || !problem.takes_several_devices()) return run;
  const std::vector<int> devices = devices_of_rank(0, 1, n_devices());
  if (devices.size() > 1) run.sharing = RunSharing{&team, {1}, devices};
  return run;
}

}  // namespace

bool have_one_command(Team& team, const Options& options) {
  if (team.size() == 1) return true;
  std::error_code ignored;
  const std::string what = options.command_line + '\n' + std::filesystem::current_path(ignored).string();
  const std::vector<std::uint64_t> all = team.gather(std::hash<std::string>()(what));
  if (std::all_of(all.begin(), all.end(), [&](std::uint64_t one) { return one == all.front(); })) return true;
  if (team.rank() == 0)
    throw CaseError(
        "the ranks were given different commands, or the same in different folders; for runs of their own start them "
        "with GWRM_RANKS=off in the environment, and where they are points of one sweep use gwrm sweep");
  return false;
}

SharedRun share_run(Team& team, const Options& options, const Case& the_case, const Problem& problem) {
  if (!team.is_of_launcher()) return run_alone(team, options, the_case, problem);
  const std::string why = options.solution.empty() ? problem.no_sharing() : "its solution is given by another program";
  if (team.size() == 1) {
    SharedRun run = run_alone(team, options, the_case, problem);
    // Bits are those of several ranks.
    if (why.empty() && run.context.backend() == Backend::cpu) run.sharing = RunSharing{&team, {1}, {}};
    return run;
  }
  if (!why.empty()) refuse_ranks(the_case.path, team.size(), why);
  Team::Bytes text(the_case.resolved_text.begin(), the_case.resolved_text.end());
  team.broadcast(text);
  const FarmWishes wishes = wishes_of(options, the_case, problem.summary());
  see_devices_of(problem, wishes.backend, team.local_rank());
  const FarmPlaces places = places_of(team, wishes);
  if (!places.note.empty()) logger().warn("{}", places.note);
  const std::vector<std::uint64_t> shares = team.gather(static_cast<std::uint64_t>(share_of(places)));
  logger().info("points of parameters, or windows, are shared out among {}", counted(team.size(), "rank"));
  return shared(team, places, shares);
}

ExitStatus help_run(Team& team, const Options& options) {
  configure_log(Verbosity::quiet);
  end_without_words();
  const InterruptsAreAsked asked;  // a signal to all leaves rank 0 the time to end in order
  Team::Bytes text;
  team.broadcast(text);
  if (text.empty()) return ExitStatus::converged;  // rank 0 has failed
  std::unique_ptr<Problem> problem;
  FarmWishes wishes;
  try {
    const Case the_case = read_case_text(options.modules->format(), {text.begin(), text.end()}, "the case of rank 0");
    problem = options.modules->make(the_case);
    wishes = wishes_of(options, the_case, problem->summary());
    see_devices_of(*problem, wishes.backend, team.local_rank());
  } catch (const std::exception& error) {
    end_all(team.rank(), error);
  }
  const std::optional<FarmPlaces> places = places_to_help(team, wishes);
  const std::vector<std::uint64_t> shares =
      places ? team.gather(static_cast<std::uint64_t>(share_of(*places))) : std::vector<std::uint64_t>();
  if (!places || share_of(*places) == 0) {
    wait_for_end(team);
    return ExitStatus::converged;
  }
  const SharedRun run = shared(team, *places, shares);
  RunControl control;
  control.interrupted = interrupt_requested;
  control.sharing = run.sharing;
  try {
    problem->help(run.context, control);
  } catch (const std::exception& error) {
    end_all(team.rank(), error);
  }
  return ExitStatus::converged;
}

}  // namespace gwrm::cli
