// Modes of time from the columns that ranks have (shared_modes.hpp) to the ranks that solve for them, and back: each
// number of space has one place, at one rank.
//
// Exchange  one message between each two ranks; of a number that stays on its rank nothing is sent.
// Memory    24 bytes or less for a number of space at either side, one run of numbers for as many as lie evenly.
// Values    mode after mode, complex; real modes have no imaginary part, neither here nor on the way.
#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "core/buffer.hpp"
#include "weighted_residual/preconditioner/shared_modes.hpp"

namespace gwrm {

class WavenumberExchange {
 public:
  struct Place {
    int rank = 0;
    Index place = 0;  // among the rank's numbers of space
  };
  // place_of: of a part of the vectors, a line of space, a column.
  using PlaceOf = std::function<Place(std::size_t part, Index line, Index column)>;

  // counts: numbers of space at each rank.
  WavenumberExchange(const SharedVectors& vectors, const SharedModes& modes, int rank, std::vector<Index> counts,
                     const PlaceOf& place_of);

  // by_modes: as of SharedModes; values: n_modes times the rank's numbers of space.
  void to_places(Communicator& ranks, std::span<const double> by_modes, std::span<std::complex<double>> values);
  void to_columns(Communicator& ranks, std::span<const std::complex<double>> values, std::span<double> by_modes);

  // Numbers of space at this rank.
  Index size() const { return size_; }

 private:
  struct Run {
    Index own = 0, stride = 0;  // by columns: of the first mode, and from mode to mode
    Index place = 0, step = 0;  // of the first number, and from number to number
    Index count = 0;
  };
  // Calls body(value by columns, complex value, whether its imaginary part) for all numbers of the runs, in order.
  template <class Body>
  void for_each(const std::vector<Run>& runs, const Body& body) const;

  Index n_modes_ = 1, n_parts_ = 1, size_ = 0;
  std::vector<Run> stay_;                    // the own columns' that are here
  std::vector<std::vector<Run>> to_, from_;  // per other rank: the own columns' that it has, its columns' that are here
  std::vector<std::size_t> n_to_, n_from_;
  Buffer sent_, received_;
};

}  // namespace gwrm
