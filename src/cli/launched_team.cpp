#include "cli/launched_team.hpp"

#include <memory>

namespace gwrm::cli {
namespace {

std::unique_ptr<Team> team;

}  // namespace

Team& launched_team() {
  if (!team) team = Team::of_launcher();
  return *team;
}

int leave_together(int status) {
  if (!team) return status;
  if (team->size() == 1) {  // with nobody to tell, nothing that could fail
    team.reset();
    return status;
  }
  Team::Bytes of_rank_0{static_cast<unsigned char>(status)};
  team->broadcast(of_rank_0);
  team.reset();
  return of_rank_0.at(0);
}

}  // namespace gwrm::cli
