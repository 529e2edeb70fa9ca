#include "output/hdf5_whole_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <vector>

#include "core/required_memory.hpp"
#include "output/atomic_file.hpp"
#include "output/checksum.hpp"
#include "output/hdf5_driver.hpp"
#include "output/hdf5_format.hpp"
#include "output/hdf5_outside.hpp"
#include "output/probe.hpp"

namespace gwrm::hdf5 {
namespace {

// What HDF5 may ask for at once, whatever a file claims: beyond its bytes unpacked, this.
constexpr hsize_t kLeastPiece = hsize_t{16} << 20;

// Returns the size.
std::uint64_t fill_file(AtomicFile& target, const std::function<void(hid_t)>& fill) {
  DriverFile driver(target);
  try {
    const Handle access = driver.access();
    // Checksummed headers and attributes beyond 64 kB (the case text); HDF5 1.8 and netCDF-4 read it.
    check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "choosing the format's version");
    const Handle creation = tracked_order(H5P_FILE_CREATE);
    Handle file(H5Fcreate(target.temporary_name().c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose,
                "creating the file");
    fill(file);
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), "completing the file");
    file.close_now("closing the file");
  } catch (const OutputError&) {
    driver.rethrow_failure();  // the cause, where a write had failed before
    throw;
  }
  return driver.complete();
}

void append_checksum(AtomicFile& file, std::uint64_t size) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
  std::vector<unsigned char> block(static_cast<std::size_t>(std::min(kBlock, size)));
  WordChecksum checksum;
  for (std::uint64_t offset = 0; offset < size; offset += block.size()) {
    const auto part =
        std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), size - offset)));
    file.read(offset, part);
    checksum.add(part);
  }
  file.write(size, checksum.trailer());
}

}  // namespace

void write_file(const std::string& path, bool overwrite, const std::function<void(hid_t file)>& fill) {
  const SilentErrors silent;
  try {
    AtomicFile file(path, overwrite);
    append_checksum(file, fill_file(file, fill));
    file.commit();
  } catch (const OutputError& error) {
    throw OutputError(path + ": " + error.what());
  }
}

namespace {

enum class FileOf { run, sweep };

// What gwrm has written that is no result of a run says so in the attribute `study`.
void check_kind(hid_t file, FileOf expected) {
  const bool is_study = check(H5Aexists(file, "study"), "looking for a study") > 0;
  const bool is_sweep = is_study && read_text_attribute(file, "study") == "sweep";
  if (expected == FileOf::sweep && !is_sweep) throw OutputError("this is not the result of gwrm sweep");
  if (expected == FileOf::run && is_sweep)
    throw OutputError(
        "this is the result of gwrm sweep, not of a run: gwrm plot, gwrm diff and gwrm export --format csv read it, "
        "and "
        "xarray.open_dataset does; gwrm sweep --keep runs writes each run's own file, too");
  if (is_study && !is_sweep)
    throw OutputError("this is a study of gwrm converge, not the result of a run: python -m gwrm_post convergence");
}

void read_open_file(const std::string& path, FileOf expected, const std::function<void(hid_t)>& read) {
  std::error_code none;
  const LargestPiece limit(std::max<hsize_t>(kLeastPiece, kMaxExpansion * std::filesystem::file_size(path, none)));
  if (H5Fis_hdf5(path.c_str()) == 0) throw OutputError("not an HDF5 file");
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening the file");
  refuse_what_is_outside(file);
  check_kind(file, expected);
  const char* const number = expected == FileOf::sweep ? "study_version" : "format_version";
  if (check(H5Aexists(file, number), "looking for the version") == 0 ||
      read_text_attribute(file, "source").rfind("gwrm", 0) != 0)
    throw OutputError("this HDF5 file was not written by gwrm");
  const int format = read_int_attribute(file, number);
  const int oldest = expected == FileOf::sweep ? kSweepVersion : kOldestFormatVersion;
  const int newest = expected == FileOf::sweep ? kSweepVersion : kFormatVersion;
  if (format < oldest || format > newest)
    throw OutputError("format version " + std::to_string(format) + "; this program reads versions " +
                      std::to_string(oldest) + " to " + std::to_string(newest));
  read(file);
}

// Reading as a trial, in a process that ends with it. Then the library gives its memory back, and the allocator sees
// what HDF5 has written past the end of: the lengths of texts (its global heap) have no checksum, and it believes them.
void try_reading(const std::string& path, FileOf expected, const std::function<void(hid_t)>& read) {
  struct LibraryEnd {
    ~LibraryEnd() { H5close(); }
  };
  const LibraryEnd end;
  read_open_file(path, expected, read);
}

void read_checked(const std::string& path, FileOf expected, const std::function<void(hid_t)>& read) {
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
    if (integrity == Integrity::unknown &&
        !survives([&] { try_reading(path, expected, read); }, longest_probe(info.st_size)))
      throw OutputError(std::string("the file is damaged: the HDF5 library fails on it") + cure);
    read_open_file(path, expected, read);
  } catch (const OutputError& error) {
    throw OutputError(path + ": cannot be read as a gwrm result: " + error.what());
  }
}

}  // namespace

void read_result_file(const std::string& path, const std::function<void(hid_t file)>& read) {
  read_checked(path, FileOf::run, read);
}

void read_sweep_file(const std::string& path, const std::function<void(hid_t file)>& read) {
  read_checked(path, FileOf::sweep, read);
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
