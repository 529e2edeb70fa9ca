// The ranks that work on one thing together, as on one window: what each holds goes to those that need it, and all
// decide alike.
//
// Every function is called by all ranks of the communicator, in the same order, by one thread of each while no other
// calls MPI (core/team.hpp); it returns when its own part is done. Sizes are bytes in 64 bits: messages longer than MPI
// counts go in pieces (GWRM_MESSAGE_BYTES). Nothing is added up on the way: who needs a sum gathers its parts and adds
// them in the order of the ranks, so that its bits depend on the parts alone.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace gwrm {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // One process, for which everything is there already.
  static std::unique_ptr<Communicator> alone();

  // n_sent[r] bytes to rank r from `send`, n_received[r] from rank r to `receive`, both in the order of the ranks
  // without gaps. What a rank sends to another is what that one receives. The buffers do not overlap.
  virtual void all_to_all(const std::byte* send, std::span<const std::size_t> n_sent, std::byte* receive,
                          std::span<const std::size_t> n_received) = 0;
  // counts[r] bytes of rank r, in the order of the ranks, for all. `own` has counts[rank()].
  virtual void all_gather(const std::byte* own, std::span<const std::size_t> counts, std::byte* all) = 0;
  // n bytes of `root` for all.
  virtual void broadcast(std::byte* bytes, std::size_t n, int root) = 0;
  // The ranks of equal colour, in the order they have here.
  virtual std::unique_ptr<Communicator> split(int colour) = 0;

  // Bytes that this rank has sent to others so far, and those of them that went in exchanges of tables
  // (window_layouts.hpp) and of wavenumbers; and what these come to, of all ranks, by the formula for their shares.
  struct Traffic {
    double sent = 0.0, exchanged = 0.0, by_formula = 0.0;
  };
  Traffic& traffic() { return traffic_; }

  // The largest of what the ranks say, as of their statuses, where 0 is that nothing is wrong: all leave alike.
  int agree(int status);

  // The same of numbers of a trivial type.
  template <class Number>
  void all_to_all(std::span<const Number> send, std::span<const std::size_t> n_sent, std::span<Number> receive,
                  std::span<const std::size_t> n_received) {
    all_to_all(reinterpret_cast<const std::byte*>(send.data()), in_bytes<Number>(n_sent),
               reinterpret_cast<std::byte*>(receive.data()), in_bytes<Number>(n_received));
  }
  template <class Number>
  void all_gather(std::span<const Number> own, std::span<const std::size_t> counts, std::span<Number> all) {
    all_gather(reinterpret_cast<const std::byte*>(own.data()), in_bytes<Number>(counts),
               reinterpret_cast<std::byte*>(all.data()));
  }

 private:
  Traffic traffic_;

  template <class Number>
  static std::vector<std::size_t> in_bytes(std::span<const std::size_t> counts) {
    std::vector<std::size_t> bytes(counts.begin(), counts.end());
    for (std::size_t& count : bytes) count *= sizeof(Number);
    return bytes;
  }
};

}  // namespace gwrm
