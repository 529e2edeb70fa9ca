#include "core/communicator.hpp"

#include <algorithm>
#include <cstring>

namespace gwrm {
namespace {

class Alone : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void all_to_all(const std::byte* send, std::span<const std::size_t> n_sent, std::byte* receive,
                  std::span<const std::size_t>) override {
    if (n_sent[0] > 0) std::memcpy(receive, send, n_sent[0]);
  }
  void all_gather(const std::byte* own, std::span<const std::size_t> counts, std::byte* all) override {
    if (counts[0] > 0) std::memcpy(all, own, counts[0]);
  }
  void broadcast(std::byte*, std::size_t, int) override {}
  std::unique_ptr<Communicator> split(int) override { return alone(); }
};

}  // namespace

std::unique_ptr<Communicator> Communicator::alone() {
  return std::make_unique<Alone>();
}

int Communicator::agree(int status) {
  const auto n = static_cast<std::size_t>(size());
  const std::vector<std::size_t> one_each(n, 1);
  std::vector<int> all(n);
  all_gather<int>(std::span<const int>(&status, 1), one_each, all);
  return *std::max_element(all.begin(), all.end());
}

}  // namespace gwrm
