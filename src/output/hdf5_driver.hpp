// HDF5's way to an AtomicFile: a virtual file driver of our own.
//
// Memory   The first kHead bytes stay in memory until complete(): HDF5 comes back to the beginning of a file with many
//          small writes, and the file of a short run is one write. What lies behind goes to the disk as it comes.
// Errors   Once a write has failed (a full disk) HDF5 is told that all goes well, because its cache cannot be closed
//          cleanly with something left to write. What comes then is dropped, and complete() throws the error.
#pragma once

#include <exception>
#include <vector>

#include "output/atomic_file.hpp"
#include "output/hdf5_handles.hpp"

namespace gwrm::hdf5 {

class DriverFile {
 public:
  static constexpr std::size_t kHead = std::size_t{8} << 20;

  explicit DriverFile(AtomicFile& file);
  DriverFile(const DriverFile&) = delete;
  DriverFile& operator=(const DriverFile&) = delete;

  // Access properties for H5Fcreate: the file with them is this one, whatever its name. Closed before complete().
  Handle access();
  // The head to the disk; returns the size of the file.
  std::uint64_t complete();
  void rethrow_failure() const;  // nothing if all has gone well

  // The driver's side; nothing throws.
  void write(std::uint64_t offset, std::span<const unsigned char> bytes) noexcept;
  void read(std::uint64_t offset, std::span<unsigned char> bytes) noexcept;
  void resize(std::uint64_t size) noexcept { size_ = size; }
  std::uint64_t size() const noexcept { return size_; }
  void run_out_of_memory() noexcept;  // before anything could be written

 private:
  AtomicFile& file_;
  Handle driver_;
  std::vector<unsigned char> head_;
  std::uint64_t size_ = 0;
  std::exception_ptr failure_;
};

}  // namespace gwrm::hdf5
