#include "output/hdf5_image.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "output/atomic_file.hpp"
#include "output/checksum.hpp"
#include "output/hdf5_format.hpp"
#include "output/probe.hpp"

namespace gwrm::hdf5 {
namespace {

// The file is put together in memory and leaves it in one piece: a full disk then meets our own write call, not HDF5's
// cache, which cannot be closed cleanly once a write has failed.
constexpr std::size_t kMemoryStep = std::size_t{4} << 20;

// Processor time that reading takes at most, in seconds: much more than HDF5 needs, and little to wait where damage
// sends it round in circles.
unsigned longest_probe(off_t bytes) {
  return 5 + static_cast<unsigned>(bytes >> 20);
}

// Calls use_bytes with the complete file.
template <class UseBytes>
void with_file_image(const std::function<void(hid_t)>& fill, UseBytes use_bytes) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "creating file properties");
  check(H5Pset_fapl_core(access, kMemoryStep, false), "choosing a file in memory");
  // Checksummed headers and attributes beyond 64 kB (the case text); HDF5 1.8 and netCDF-4 read it.
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "choosing the format's version");
  const Handle creation = tracked_order(H5P_FILE_CREATE);
  const Handle file(H5Fcreate("gwrm result", H5F_ACC_TRUNC, creation, access), H5Fclose, "creating the file in memory");

  fill(file);

  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "completing the file in memory");
  // Only the size comes from H5Fget_file_image: the copy it makes (HDF5 1.10) has a wrong checksum in the superblock.
  const auto size = static_cast<std::size_t>(check(H5Fget_file_image(file, nullptr, 0), "sizing the file"));
  void* memory = nullptr;
  check(H5Fget_vfd_handle(file, access, &memory), "finding the file in memory");
  use_bytes(std::span<const unsigned char>(*static_cast<unsigned char**>(memory), size));
}

}  // namespace

void write_file(const std::string& path, bool overwrite, const std::function<void(hid_t file)>& fill) {
  const SilentErrors silent;
  try {
    with_file_image(fill, [&](std::span<const unsigned char> bytes) {
      const auto trailer = checksum_trailer(bytes);
      write_file_atomically(path, {bytes, trailer}, overwrite);
    });
  } catch (const OutputError& error) {
    throw OutputError(path + ": " + error.what());
  }
}

namespace {

void read_open_file(const std::string& path, const std::function<void(hid_t)>& read) {
  if (H5Fis_hdf5(path.c_str()) == 0) throw OutputError("not an HDF5 file");
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the file");
  if (check(H5Aexists(file, "study"), "looking for a study") > 0)
    throw OutputError("this is a study of gwrm converge, not the result of a run: python -m gwrm_post convergence");
  if (check(H5Aexists(file, "format_version"), "looking for format_version") == 0 ||
      read_text_attribute(file, "source").rfind("gwrm", 0) != 0)
    throw OutputError("this HDF5 file was not written by gwrm");
  const int format = read_int_attribute(file, "format_version");
  if (format < kOldestFormatVersion || format > kFormatVersion)
    throw OutputError("format version " + std::to_string(format) + "; this program reads versions " +
                      std::to_string(kOldestFormatVersion) + " to " + std::to_string(kFormatVersion));
  read(file);
}

// Reading as a trial, in a process that ends with it. Then the library gives its memory back, and the allocator sees
// what HDF5 has written past the end of: the lengths of texts (its global heap) have no checksum, and it believes them.
void try_reading(const std::string& path, const std::function<void(hid_t)>& read) {
  struct LibraryEnd {
    ~LibraryEnd() { H5close(); }
  };
  const LibraryEnd end;
  read_open_file(path, read);
}

}  // namespace

void read_result_file(const std::string& path, const std::function<void(hid_t file)>& read) {
  constexpr const char* cure = "; restore a copy, or make it anew from its case (gwrm run)";
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) throw OutputError(path + ": " + std::strerror(errno));
  if (!S_ISREG(info.st_mode)) throw OutputError(path + " is not an ordinary file");
  const SilentErrors silent;
  try {
    const Integrity integrity = check_integrity(path);
    if (integrity == Integrity::damaged)
      throw OutputError(std::string("the file is damaged: its checksum is wrong") + cure);
    // Without a checksum nothing is known of the file, and HDF5 does not survive every damage.
    if (integrity == Integrity::unknown && !survives([&] { try_reading(path, read); }, longest_probe(info.st_size)))
      throw OutputError(std::string("the file is damaged: the HDF5 library fails on it") + cure);
    read_open_file(path, read);
  } catch (const OutputError& error) {
    throw OutputError(path + ": cannot be read as a gwrm result: " + error.what());
  }
}

std::string history_line(const std::string& command) {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text) + ": " + command;
}

}  // namespace gwrm::hdf5
