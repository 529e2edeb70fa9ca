#include "output/hdf5_driver.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

namespace gwrm::hdf5 {
namespace {

// What HDF5 holds while the file is open: its own part in front.
struct OpenFile {
  H5FD_t base;
  DriverFile* file;
  haddr_t end_of_allocation;
};
static_assert(std::is_standard_layout_v<OpenFile> && offsetof(OpenFile, base) == 0);

OpenFile& of(H5FD_t* file) {
  return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& of(const H5FD_t* file) {
  return *reinterpret_cast<const OpenFile*>(file);
}

H5FD_t* open_file(const char* /*name*/, unsigned flags, hid_t access, haddr_t /*largest*/) {
  if ((flags & H5F_ACC_CREAT) == 0) return nullptr;  // HDF5 tries first whether there is a file already
  const void* info = H5Pget_driver_info(access);
  if (info == nullptr) return nullptr;
  DriverFile* const file = *static_cast<DriverFile* const*>(info);
  OpenFile* const opened = new (std::nothrow) OpenFile{};
  if (opened == nullptr) {
    file->run_out_of_memory();
    return nullptr;
  }
  opened->file = file;
  return &opened->base;
}

herr_t close_file(H5FD_t* file) {
  delete &of(file);
  return 0;
}

// Those of HDF5's own drivers for ordinary files: small pieces of metadata and of data are gathered.
herr_t query_features(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_end_of_allocation(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return of(file).end_of_allocation;
}

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  of(file).end_of_allocation = end;
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return of(file).file->size();
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t offset, std::size_t count,
                  void* bytes) {
  of(file).file->read(offset, {static_cast<unsigned char*>(bytes), count});
  return 0;
}

herr_t write_bytes_of(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t offset, std::size_t count,
                      const void* bytes) {
  of(file).file->write(offset, {static_cast<const unsigned char*>(bytes), count});
  return 0;
}

// The file ends where the allocated part ends, written or not.
herr_t truncate(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  of(file).file->resize(of(file).end_of_allocation);
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver = {};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 1);
#endif
  driver.name = "gwrm";
  driver.maxaddr = HADDR_MAX / 4;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DriverFile*);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query_features;
  driver.get_eoa = get_end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = get_end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes_of;
  driver.truncate = truncate;
  constexpr H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;  // metadata apart from data
  std::copy(std::begin(kinds), std::end(kinds), driver.fl_map);
  return driver;
}

}  // namespace

DriverFile::DriverFile(AtomicFile& file) : file_(file) {
  const H5FD_class_t driver = driver_class();
  driver_ = Handle(H5FDregister(&driver), H5FDunregister, "registering the driver of result files");
  head_.reserve(kHead);
}

Handle DriverFile::access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "creating file properties");
  DriverFile* const self = this;
  check(H5Pset_driver(access, driver_, &self), "choosing the driver of result files");
  return access;
}

void DriverFile::write(std::uint64_t offset, std::span<const unsigned char> bytes) noexcept {
  size_ = std::max(size_, offset + bytes.size());
  if (failure_) return;
  try {
    if (offset < kHead) {
      const std::size_t n = std::min<std::size_t>(bytes.size(), kHead - offset);
      head_.resize(std::max<std::size_t>(head_.size(), offset + n));
      std::copy_n(bytes.begin(), n, head_.begin() + static_cast<std::ptrdiff_t>(offset));
      bytes = bytes.subspan(n);
      offset += n;
    }
    file_.write(offset, bytes);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void DriverFile::read(std::uint64_t offset, std::span<unsigned char> bytes) noexcept {
  std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  if (failure_) return;
  try {
    if (offset < head_.size()) {
      const std::size_t n = std::min<std::size_t>(bytes.size(), head_.size() - offset);
      std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(offset), n, bytes.begin());
    }
    if (offset + bytes.size() <= kHead) return;
    const std::size_t in_head = offset < kHead ? static_cast<std::size_t>(kHead - offset) : 0;
    file_.read(offset + in_head, bytes.subspan(in_head));
  } catch (...) {
    failure_ = std::current_exception();
  }
}

void DriverFile::run_out_of_memory() noexcept {
  if (!failure_) failure_ = std::make_exception_ptr(std::bad_alloc());
}

void DriverFile::rethrow_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

std::uint64_t DriverFile::complete() {
  rethrow_failure();
  file_.write(0, std::span(head_).first(static_cast<std::size_t>(std::min<std::uint64_t>(head_.size(), size_))));
  file_.resize(size_);
  return size_;
}

}  // namespace gwrm::hdf5
