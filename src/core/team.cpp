#include "core/team.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "core/errors.hpp"
#include "core/last_resort.hpp"
#include "core/opening_watch.hpp"
#include "core/rank_team.hpp"
#include "core/threads.hpp"

namespace gwrm {
namespace {

constexpr const char* kLibrary = "gwrm_mpi.so";
// What Open MPI, MPICH (and Slurm with PMI) and PMIx tell the processes that they start.
constexpr const char* kLaunchers[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
// How many processes there are; the last one is of srun, with any kind of PMI or none.
constexpr const char* kSizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

// Which of them this is.
constexpr const char* kRanks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};

// Each process for itself, whatever has started it.
bool stands_alone() {
  const char* ranks = std::getenv("GWRM_RANKS");
  return ranks != nullptr && std::string_view(ranks) == "off";
}

bool under_launcher() {
  return std::any_of(std::begin(kLaunchers), std::end(kLaunchers),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

int processes_of_launcher() {
  int most = 1;
  for (const char* name : kSizes)
    if (const char* size = std::getenv(name)) most = std::max(most, std::atoi(size));
  return most;
}

int piece_of_messages() {
  const char* bytes = std::getenv("GWRM_MESSAGE_BYTES");
  return bytes == nullptr ? RankTeam::kPiece : std::clamp(std::atoi(bytes), 1, RankTeam::kPiece);
}

// What a rank may do alone between two exchanges of a window, as to factor its part, is a matter of minutes at most.
double longest_wait() {
  constexpr double kUsual = 600.0;
  const char* seconds = std::getenv("GWRM_ANSWER_SECONDS");
  return seconds == nullptr ? kUsual : std::max(0.0, std::atof(seconds));
}

// A launcher may start processes one after another.
double longest_opening() {
  constexpr double kLeast = 60.0;
  const double seconds = longest_wait();
  return seconds == 0.0 ? 0.0 : std::max(seconds, kLeast);
}

// What the messages of a rank that has not found the others are to name.
void name_rank() {
  for (const char* name : kRanks)
    if (const char* rank = std::getenv(name)) return last_resort_of_rank(std::atoi(rank));
}

// MPI has taken its memory. Where a limit leaves none for its buffer OpenBLAS asks for it for ever, and the other ranks
// would wait.
void require_blas_memory(int rank) {
  if (const auto why = too_little_for_blas()) throw MemoryError("rank " + std::to_string(rank) + ": " + why->text);
}

// The ranks of MPI, or nothing and why.
std::unique_ptr<Team> open_ranks(std::string& why) {
  // All of its symbols for all: the modules of Open MPI look for those of its library among them.
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    why = std::string("this program has no MPI (") + dlerror() + "): build it with -DGWRM_MPI=ON";
    return nullptr;
  }
  const auto functions = reinterpret_cast<decltype(&gwrm_rank_functions)>(dlsym(library, "gwrm_rank_functions"));
  if (functions == nullptr || functions()->version != RankFunctions::kVersion)
    throw DeviceError(std::string(kLibrary) + " is not of this version of the program: build both together");
  why =
      "the MPI of this program is not that of the launcher: start it with the mpirun that belongs to it, "
      "or srun with --mpi=pmix or --mpi=pmi2";
  // Not given back where it throws: the process ends, and with it, by the launcher, all others.
  name_rank();
  last_resort_leaves_a_moment(true);
  std::optional<OpeningWatch> watch(longest_opening());
  auto team = std::make_unique<RankTeam>(*functions(), piece_of_messages(), longest_wait());
  watch.reset();
  last_resort_leaves_a_moment(false);
  last_resort_of_rank(team->rank());
  try {
    require_blas_memory(team->rank());
  } catch (...) {
    static_cast<void>(team.release());
    throw;
  }
  return team;
}

}  // namespace

bool Team::has_launcher() {
  return !stands_alone() && under_launcher();
}

std::unique_ptr<Team> Team::of_launcher() {
  if (stands_alone()) return std::make_unique<Team>();
  std::string why = "srun has told its processes nothing of one another: srun --mpi=pmix or --mpi=pmi2";
  std::unique_ptr<Team> team;
  if (under_launcher()) team = open_ranks(why);
  if (!team) team = std::make_unique<Team>();
  const int n_processes = processes_of_launcher();
  if (n_processes > 1 && team->size() == 1)
    throw CaseError(std::to_string(n_processes) + " processes would each do all the work: " + why +
                    ", or start one process; with GWRM_RANKS=off in the environment each runs its own case");
  return team;
}

int Team::usual_threads() const {
  return available_cores();
}

}  // namespace gwrm
