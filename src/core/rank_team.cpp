#include "core/rank_team.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "core/last_resort.hpp"
#include "core/log.hpp"
#include "core/rank_communicator.hpp"
#include "core/threads.hpp"

namespace gwrm {
namespace {

// A tag holds the kind of a message, and in its lowest bit whether another piece follows.
int tag_of(int kind, bool another) {
  return 2 * kind + (another ? 1 : 0);
}

bool another_follows(int tag) {
  return tag % 2 == 1;
}

void require_all(bool is_all) {
  if (!is_all) throw ShapeError("tasks are handed out among all ranks");
}

int tell_no_answer(double seconds, int rank) {
  logger().error(
      "{} has not answered for {:g} s: it has stopped, or computes slowly; all ranks end. Continue from the "
      "journal, if there is one, or allow more with GWRM_ANSWER_SECONDS in the environment (0: no limit)",
      rank < 0 ? "another rank" : "rank " + std::to_string(rank), seconds);
  return static_cast<int>(ExitStatus::resources);
}

}  // namespace

RankTeam::RankTeam(const RankFunctions& functions, int piece, double longest_wait)
    : functions_(functions), piece_(static_cast<std::size_t>(piece)), group_(kAll) {
  functions_.without_memory([] { end_without_memory(); });
  if (const char* wrong = functions_.open(&place_)) throw DeviceError(wrong);
  functions_.limit(longest_wait, tell_no_answer);
}

RankTeam::RankTeam(const RankTeam& all, int group)
    : functions_(all.functions_), piece_(all.piece_), group_(group), place_(all.place_) {
  functions_.place_in_group(group_, &place_.rank, &place_.size);
}

RankTeam::~RankTeam() {
  if (group_ == kAll)
    functions_.close();
  else
    functions_.free_group(group_);
}

std::unique_ptr<Team> RankTeam::split(int colour) {
  return std::unique_ptr<Team>(new RankTeam(*this, functions_.split(group_, colour)));
}

int RankTeam::usual_threads() const {
  const int cores = available_cores();
  const bool has_its_own = cores < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return has_its_own ? cores : std::max(1, cores / place_.n_local);
}

void RankTeam::broadcast(Bytes& bytes) {
  std::uint64_t n = bytes.size();
  functions_.broadcast(group_, &n, sizeof(n));
  bytes.resize(n);
  for (std::size_t first = 0; first < n; first += piece_)
    functions_.broadcast(group_, bytes.data() + first, static_cast<int>(std::min(piece_, n - first)));
}

std::vector<std::uint64_t> RankTeam::gather(std::uint64_t own) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(place_.size));
  functions_.gather(group_, own, all.data());
  return all;
}

std::unique_ptr<Communicator> RankTeam::communicator() {
  return std::make_unique<RankCommunicator>(functions_, functions_.split(group_, 0), piece_);
}

std::size_t RankTeam::next_task() {
  require_all(group_ == kAll);
  return static_cast<std::size_t>(functions_.add(1));
}

void RankTeam::stop() {
  require_all(group_ == kAll);
  functions_.set(static_cast<std::int64_t>(kBeyond));
}

void RankTeam::send(const Message& message) {
  const std::scoped_lock lock(calls_);
  const std::size_t n = message.bytes.size();
  std::size_t first = 0;
  do {
    const std::size_t count = std::min(piece_, n - first);
    functions_.send(group_, message.bytes.data() + first, static_cast<int>(count),
                    tag_of(message.kind, first + count < n));
    first += count;
  } while (first < n);
}

std::optional<Team::Message> RankTeam::receive() {
  const std::scoped_lock lock(calls_);
  int source = 0, tag = 0, count = 0;
  if (!functions_.look(group_, &source, &tag, &count)) return std::nullopt;
  Message message{tag / 2, {}};
  for (;;) {
    const std::size_t before = message.bytes.size();
    message.bytes.resize(before + static_cast<std::size_t>(count));
    functions_.receive(group_, message.bytes.data() + before, count, source, tag);
    if (!another_follows(tag)) return message;
    functions_.wait_for(group_, source, &tag, &count);
  }
}

}  // namespace gwrm
