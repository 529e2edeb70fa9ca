#include "core/rank_team.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "core/errors.hpp"
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

}  // namespace

RankTeam::RankTeam(const RankFunctions& functions, int piece)
    : functions_(functions), piece_(static_cast<std::size_t>(piece)) {
  if (const char* wrong = functions_.open(&place_)) throw DeviceError(wrong);
}

RankTeam::~RankTeam() {
  functions_.close();
}

int RankTeam::usual_threads() const {
  const int cores = available_cores();
  const bool has_its_own = cores < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return has_its_own ? cores : std::max(1, cores / place_.n_local);
}

void RankTeam::broadcast(Bytes& bytes) {
  std::uint64_t n = bytes.size();
  functions_.broadcast(&n, sizeof(n));
  bytes.resize(n);
  for (std::size_t first = 0; first < n; first += piece_)
    functions_.broadcast(bytes.data() + first, static_cast<int>(std::min(piece_, n - first)));
}

std::vector<std::uint64_t> RankTeam::gather(std::uint64_t own) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(place_.size));
  functions_.gather(own, all.data());
  return all;
}

std::unique_ptr<Communicator> RankTeam::communicator() {
  return std::make_unique<RankCommunicator>(functions_, functions_.split(-1, 0), piece_);
}

std::size_t RankTeam::next_task() {
  const std::scoped_lock lock(calls_);
  return static_cast<std::size_t>(functions_.add(1));
}

void RankTeam::stop() {
  const std::scoped_lock lock(calls_);
  functions_.set(static_cast<std::int64_t>(kBeyond));
}

void RankTeam::send(const Message& message) {
  const std::scoped_lock lock(calls_);
  const std::size_t n = message.bytes.size();
  std::size_t first = 0;
  do {
    const std::size_t count = std::min(piece_, n - first);
    functions_.send(message.bytes.data() + first, static_cast<int>(count), tag_of(message.kind, first + count < n));
    first += count;
  } while (first < n);
}

std::optional<Team::Message> RankTeam::receive() {
  const std::scoped_lock lock(calls_);
  int source = 0, tag = 0, count = 0;
  if (!functions_.look(&source, &tag, &count)) return std::nullopt;
  Message message{tag / 2, {}};
  for (;;) {
    const std::size_t before = message.bytes.size();
    message.bytes.resize(before + static_cast<std::size_t>(count));
    functions_.receive(message.bytes.data() + before, count, source, tag);
    if (!another_follows(tag)) return message;
    functions_.wait_for(source, &tag, &count);
  }
}

}  // namespace gwrm
