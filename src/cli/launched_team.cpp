#include "cli/launched_team.hpp"

#include <memory>

#include "cli/crashes_without_memory.hpp"
#include "cli/interrupt.hpp"
#include "core/last_resort.hpp"

namespace gwrm::cli {
namespace {

std::unique_ptr<Team> launched;

}  // namespace

Team& launched_team() {
  if (launched) return *launched;
  if (Team::has_launcher()) catch_crashes_without_memory();
  // Until it is known which rank this is: the launcher ends all where one of them cannot begin, which that one has
  // said.
  end_without_words(Team::has_launcher());
  launched = Team::of_launcher();
  end_without_words(false);
  return *launched;
}

int leave_together(int status) {
  if (!launched) return status;
  if (launched->size() == 1) {  // with nobody to tell, nothing that could fail
    launched.reset();
    return status;
  }
  // Settled before a rank can leave: where one has left with a failure, the launcher sends the others SIGTERM.
  if (launched->rank() == 0) settle_status(status);
  Team::Bytes of_rank_0{static_cast<unsigned char>(status)};
  launched->broadcast(of_rank_0);
  settle_status(of_rank_0.at(0));
  launched.reset();
  return of_rank_0.at(0);
}

}  // namespace gwrm::cli
