// One-dimensional data of the user's in an HDF5 file, read part by part.
#pragma once

#include <memory>
#include <string>

#include "core/array.hpp"

namespace gwrm {

class NumberSeries {
 public:
  // OutputError if the file cannot be opened, has no such dataset, or it is no list of numbers.
  NumberSeries(const std::string& file, const std::string& dataset);
  // OutputError if it cannot be opened.
  static void check_file(const std::string& file);
  ~NumberSeries();
  NumberSeries(NumberSeries&&) noexcept;

  Index size() const;
  // Values first .. first + count - 1. OutputError if they cannot be read. One thread at a time.
  void read(Index first, Index count, double* values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gwrm
