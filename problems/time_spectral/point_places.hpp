// Where the points of the collocated parameters are solved: in this process, on further devices of it, and in the other
// ranks of a team.
//
// Rank 0 alone makes the run: it sets each window up at all points, gives those of the others away as plain data - the
// state at the start and Newton's first guess - and solves its own; what comes back are the unknowns and Newton's
// record. Everything else, from the choice of windows to the file, is rank 0's, so that nothing has to be decided twice
// and ranks may be of different machines. The answer has the bits of one process, since a point is solved by the same
// code from the same numbers.
//
// A point stays where it is: factors that are kept from window to window are there. Points are dealt out in turn, rank
// 0 last. Messages: rank 0 broadcasts what is to be done (empty bytes: nothing more), and every rank that has points in
// a window sends its answers, errors among them, to rank 0. So no rank waits for one that has failed; one that is
// killed ends all, by the launcher.
//
// A run of a single point gives its windows to all ranks together (shared_windows.hpp) where these serve them, and what
// follows the solve, too (shared_answer.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "problems/problem.hpp"
#include "problems/time_spectral/memory_estimate.hpp"
#include "problems/time_spectral/point_server.hpp"
#include "problems/time_spectral/shared_answer.hpp"
#include "problems/time_spectral/shared_windows.hpp"

namespace gwrm {

// The rank of each point, where the ranks take these shares of them.
std::vector<int> deal_points(std::size_t n_points, const std::vector<int>& shares);

class PointPlaces {
 public:
  // tensor: windows on a device are solved by a DeviceSolver; else the context of the run is that of a device, if any.
  // shares_windows: the run has no points to share out, and its ranks have windows together.
  PointPlaces(const RunSharing& sharing, const Context& of_run, bool tensor, double memory_limit,
              bool shares_windows = false);

  bool are_several() const { return !devices_.empty() || sharing_.shares.size() > 1; }
  const RunSharing& sharing() const { return sharing_; }
  std::span<const std::unique_ptr<FurtherDevice>> devices() const { return devices_; }
  std::uint64_t new_number() { return n_solvers_++; }
  // Each rank has a share: they can have windows together.
  bool share_windows() const;
  // By all ranks, the first time.
  Communicator& ranks() { return *shared_ranks(); }
  std::shared_ptr<Communicator> shared_ranks();
  // For one pass through windows that all ranks have together; null for others.
  std::shared_ptr<SharedAnswer> begin_answer(const Case& the_case, std::size_t n_points);
  // By all ranks: behind a window that they have had together.
  void count_window();
  // What all of them have sent one another until then; nothing before the first such window.
  const std::optional<Communicator::Traffic>& traffic() const { return traffic_; }

 private:
  const RunSharing sharing_;
  std::vector<std::unique_ptr<FurtherDevice>> devices_;
  std::uint64_t n_solvers_ = 0;
  const bool shares_windows_;
  std::shared_ptr<Communicator> ranks_;
  std::optional<Communicator::Traffic> traffic_;
};

// Those that have windows together, in a run of so many points. places: null for none.
RanksOfWindow ranks_of_window(const PointPlaces* places, std::size_t n_points);

// Rank 0's side, for one PointSolver.
class SharedPoints {
 public:
  SharedPoints(PointPlaces& places, const MarchInput& input);
  ~SharedPoints();
  SharedPoints(const SharedPoints&) = delete;
  SharedPoints& operator=(const SharedPoints&) = delete;

  int n_ranks() const { return team_.size(); }
  // Those that the caller solves itself, and the others.
  const std::vector<std::size_t>& own() const { return own_; }
  const std::vector<std::size_t>& elsewhere() const { return elsewhere_; }

  void begin(WindowTask window);  // points elsewhere, one task each at most
  std::vector<PointAnswer> finish();

  // The only point's window on all ranks together: the others set it up from here on, ...
  void begin_together(const WindowTask& task);
  bool begun_together() const { return begun_together_; }
  // ... and solve it with this rank; its unknowns become those of the answer. window: null where this rank cannot set
  // it up or share it. Nothing is solved then, whatever became of it elsewhere.
  std::optional<NewtonResult> solve_together(Window* window);
  // Whether windows have been shared so far: before one is set up that is all that is known of it.
  bool expects_to_share() const { return told_.empty(); }
  // Says once that rank 0 solves windows alone, and why. CaseError where the ranks have had no window of this run yet,
  // and so are there for nothing.
  void stay_alone(const std::string& reason, const std::string& case_path);

 private:
  void tell(int what, const Team::Bytes& bytes) const;

  PointPlaces& places_;
  Team& team_;
  const std::uint64_t number_;
  std::vector<int> rank_of_;            // per point
  std::vector<std::size_t> device_of_;  // per point of this rank: 0 is the caller's
  std::vector<std::size_t> own_, elsewhere_;
  std::optional<FurtherServers> further_;
  WindowTask window_;
  std::size_t n_awaited_ = 0;  // ranks
  bool begun_ = false, begun_together_ = false;
  NewtonOptions newton_;
  const std::function<bool()>& interrupted_;
  DeviceSolver* device_;                       // of this rank; may be null
  LinearMethod method_ = LinearMethod::dense;  // of the window that is begun
  const bool is_of_estimate_;
  SolverMemory memory_;  // of windows on all ranks
  std::string told_;     // the last reason
};

// The side of the other ranks: until rank 0 has nothing more. plan: that of the case. failed: the answer to everything
// of a rank that cannot begin; null where it can.
void serve_points(PointPlaces& places, const Context& context, const Model& model, const SystemPlan& plan,
                  const MarchSettings& settings, AnswerHelper& answer_helper, const std::function<bool()>& interrupted,
                  const std::exception_ptr& failed);

}  // namespace gwrm
