#include "core/team.hpp"

#include <cstdlib>
#include <string>

#include "core/errors.hpp"
#include "core/threads.hpp"

namespace gwrm {
namespace {

// What Open MPI, MPICH (and Slurm with PMI) and PMIx tell the processes that they start.
constexpr const char* kLaunchers[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};

bool under_launcher() {
  for (const char* name : kLaunchers)
    if (std::getenv(name) != nullptr) return true;
  return false;
}

}  // namespace

#ifdef GWRM_HAVE_MPI
std::unique_ptr<Team> open_team();  // team_mpi.cpp
#else
static std::unique_ptr<Team> open_team() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* size = std::getenv(name);
    if (size != nullptr && std::atoi(size) > 1)
      throw CaseError(std::string("this program was built without MPI, and ") + size +
                      " processes would each do all the work; build it with -DGWRM_MPI=ON, or start one process");
  }
  return std::make_unique<Team>();
}
#endif

std::unique_ptr<Team> Team::of_launcher() {
  return under_launcher() ? open_team() : std::make_unique<Team>();
}

int Team::usual_threads() const {
  return available_cores();
}

}  // namespace gwrm
