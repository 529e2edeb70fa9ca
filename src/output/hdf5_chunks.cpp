#include "output/hdf5_chunks.hpp"

#include <omp.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>

namespace gwrm::hdf5 {
namespace {

constexpr std::uint32_t kDeflateSkipped = 2;  // bit of the second filter in a chunk's mask

std::size_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>());
}

struct PackedChunk {
  Dims offset;
  std::vector<unsigned char> bytes;
  std::uint32_t skipped = 0;
};

// The chunk's numbers, zero where it sticks out.
std::vector<double> cut(const Dims& dims, const Dims& chunk, const Dims& offset, const double* values) {
  std::vector<double> numbers(product(chunk), 0.0);
  const std::size_t n = dims.size();
  Dims count(n), index(n, 0);
  for (std::size_t d = 0; d < n; ++d) count[d] = std::min(chunk[d], dims[d] - offset[d]);
  const std::size_t width = count.back();
  for (;;) {
    std::size_t from = 0, to = 0;
    for (std::size_t d = 0; d < n; ++d) {
      from = from * dims[d] + offset[d] + index[d];
      to = to * chunk[d] + index[d];
    }
    std::copy_n(values + from, width, numbers.begin() + static_cast<std::ptrdiff_t>(to));
    std::size_t d = n - 1;
    while (d-- > 0) {
      if (++index[d] < count[d]) break;
      index[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return numbers;
  }
}

// First bytes of all numbers, then second bytes, ..: the filter H5Z_FILTER_SHUFFLE.
std::vector<unsigned char> shuffled(const std::vector<double>& numbers) {
  const std::size_t n = numbers.size();
  std::vector<unsigned char> bytes(n * sizeof(double));
  const auto* source = reinterpret_cast<const unsigned char*>(numbers.data());
  for (std::size_t b = 0; b < sizeof(double); ++b)
    for (std::size_t i = 0; i < n; ++i) bytes[b * n + i] = source[i * sizeof(double) + b];
  return bytes;
}

void pack(const std::vector<double>& numbers, int level, PackedChunk& packed) {
  const std::vector<unsigned char> raw = shuffled(numbers);
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  packed.bytes.resize(size);
  const int status = compress2(packed.bytes.data(), &size, raw.data(), static_cast<uLong>(raw.size()), level);
  if (status == Z_OK && size < raw.size()) {
    packed.bytes.resize(size);
    packed.skipped = 0;
  } else {  // as HDF5 does where the filter gains nothing
    packed.bytes = raw;
    packed.skipped = kDeflateSkipped;
  }
}

}  // namespace

bool chunks_in_threads(const Dims& dims, const Dims& chunk) {
  return std::endian::native == std::endian::little && !dims.empty() && product(chunk) > 0 &&
         product(dims) >= 2 * product(chunk) && omp_get_max_threads() > 1;
}

void write_chunks(hid_t dataset, const std::string& name, const Dims& dims, const Dims& chunk, int level,
                  const double* values) {
  std::vector<Dims> offsets{Dims(dims.size(), 0)};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<Dims> next;
    for (const Dims& offset : offsets)
      for (hsize_t first = 0; first < dims[d]; first += chunk[d]) {
        next.push_back(offset);
        next.back()[d] = first;
      }
    offsets = std::move(next);
  }
  // A few at a time, so that the packed copy stays small.
  const std::size_t together = 4 * static_cast<std::size_t>(omp_get_max_threads());
  for (std::size_t first = 0; first < offsets.size(); first += together) {
    const auto n = static_cast<std::ptrdiff_t>(std::min(together, offsets.size() - first));
    std::vector<PackedChunk> packed(static_cast<std::size_t>(n));
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      PackedChunk& own = packed[static_cast<std::size_t>(i)];
      own.offset = offsets[first + static_cast<std::size_t>(i)];
      pack(cut(dims, chunk, own.offset, values), level, own);
    }
    for (const PackedChunk& own : packed)
      check(H5Dwrite_chunk(dataset, H5P_DEFAULT, own.skipped, own.offset.data(), own.bytes.size(), own.bytes.data()),
            "writing the dataset " + name);
  }
}

}  // namespace gwrm::hdf5
