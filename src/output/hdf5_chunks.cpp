#include "output/hdf5_chunks.hpp"
#include "core/thread_errors.hpp"

#include <omp.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>

namespace gwrm::hdf5 {
namespace {

constexpr std::uint32_t kDeflateSkipped = 2;  // bit of the second filter in a chunk's mask
// Bytes of one rank go in pieces, each of which is deflated where a sample out of its middle shrinks by a tenth.
constexpr std::size_t kPiece = 65536, kSample = 4096;
constexpr double kWorthDeflating = 0.9;

std::size_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>());
}

struct PackedChunk {
  Dims offset;
  std::vector<unsigned char> bytes;
  std::uint32_t skipped = 0;
};

// Copies up to `width` numbers from `index` on along the last dimension.
void copy_run(std::span<const Box> parts, const Dims& index, std::size_t width, double* to) {
  const std::size_t first = index.size() - parts.front().extents.size();  // 1: a part for each index of dimension 0
  const Box& box = parts[first == 0 ? 0 : index[0]];
  std::size_t from = 0, left = 1;
  for (std::size_t d = first; d < index.size(); ++d) {
    const hsize_t extent = box.extents[d - first], i = box.in_memory(d - first, index[d]);
    if (i >= extent) return;
    from = from * extent + i;
    left = extent - i;
  }
  std::copy_n(box.values + from, std::min(width, left), to);
}

// First bytes of all numbers, lowest first, then second bytes, ..: the filter H5Z_FILTER_SHUFFLE.
std::vector<unsigned char> shuffled(const std::vector<double>& numbers) {
  constexpr bool kLittle = std::endian::native == std::endian::little;
  const std::size_t n = numbers.size();
  std::vector<unsigned char> bytes(n * sizeof(double));
  const auto* source = reinterpret_cast<const unsigned char*>(numbers.data());
  for (std::size_t b = 0; b < sizeof(double); ++b)
    for (std::size_t i = 0; i < n; ++i)
      bytes[b * n + i] = source[i * sizeof(double) + (kLittle ? b : sizeof(double) - 1 - b)];
  return bytes;
}

// How a piece is deflated. Among the last digits of coefficients that gains next to nothing, and it is where it takes
// longest. Tried with a sample: the entropy of single bytes would not see rows that repeat.
int level_for(std::span<const unsigned char> bytes, int level) {
  if (std::adjacent_find(bytes.begin(), bytes.end(), std::not_equal_to<>()) == bytes.end()) return Z_BEST_SPEED;
  if (bytes.size() < 4 * kSample) return level;
  std::array<unsigned char, kSample + kSample / 8> packed;
  uLongf n_packed = packed.size();
  const int status =
      compress2(packed.data(), &n_packed, bytes.data() + (bytes.size() - kSample) / 2, kSample, Z_BEST_SPEED);
  const bool shrinks = status == Z_OK && static_cast<double>(n_packed) <= kWorthDeflating * kSample;
  return shrinks ? level : Z_NO_COMPRESSION;
}

// A stream for the filter H5Z_FILTER_DEFLATE; pieces stand in it as they are where deflating is not worth it. False
// where it would be as long as the bytes.
bool deflate_in_pieces(const std::vector<unsigned char>& raw, int level, std::vector<unsigned char>& packed) {
  packed.resize(raw.size());
  z_stream stream{};
  if (deflateInit(&stream, level) != Z_OK) return false;
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  const std::size_t per_rank = raw.size() / sizeof(double);
  int status = Z_OK;
  for (std::size_t first = 0; first < raw.size() && status == Z_OK;) {
    const std::size_t of_rank = per_rank - first % per_rank;
    // A short rest goes with the piece before it.
    const std::span<const unsigned char> piece = std::span(raw).subspan(first, of_rank < 2 * kPiece ? of_rank : kPiece);
    status = deflateParams(&stream, level_for(piece, level), Z_DEFAULT_STRATEGY);
    if (status != Z_OK) break;
    stream.next_in = const_cast<unsigned char*>(piece.data());  // zlib's declaration; it only reads
    stream.avail_in = static_cast<uInt>(piece.size());
    first += piece.size();
    status = deflate(&stream, first == raw.size() ? Z_FINISH : Z_NO_FLUSH);
  }
  packed.resize(stream.total_out);
  packed.shrink_to_fit();  // several chunks wait to be written
  deflateEnd(&stream);
  return status == Z_STREAM_END && packed.size() < raw.size();
}

bool is_zero(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double number) { return std::bit_cast<std::uint64_t>(number) == 0; });
}

void pack(const std::vector<double>& numbers, int level, PackedChunk& packed) {
  const std::vector<unsigned char> raw = shuffled(numbers);
  if (deflate_in_pieces(raw, level, packed.bytes)) {
    packed.skipped = 0;
  } else {  // as HDF5 does where the filter gains nothing
    packed.bytes = raw;
    packed.skipped = kDeflateSkipped;
  }
}

}  // namespace

std::vector<double> cut(const Dims& dims, const Dims& extents, const Dims& offset, std::span<const Box> parts) {
  const std::size_t n = dims.size();
  std::vector<double> numbers(product(extents), 0.0);
  Dims count(n), index(n, 0), place(n);
  for (std::size_t d = 0; d < n; ++d) count[d] = std::min(extents[d], dims[d] - offset[d]);
  // The last dimension in runs, but one of parts that have none, or another order.
  const bool in_runs =
      n > 0 && std::all_of(parts.begin(), parts.end(), [](const Box& part) { return part.has_runs(); });
  const std::size_t width = in_runs ? count.back() : 1;
  if (in_runs) count.back() = 1;
  for (;;) {
    std::size_t to = 0;
    for (std::size_t d = 0; d < n; ++d) {
      place[d] = offset[d] + index[d];
      to = to * extents[d] + index[d];
    }
    copy_run(parts, place, width, numbers.data() + to);
    std::size_t d = n;
    while (d-- > 0) {
      if (++index[d] < count[d]) break;
      index[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return numbers;
  }
}

void write_chunks(hid_t dataset, const std::string& name, const Dims& dims, const Dims& chunk, int level,
                  std::span<const Box> parts) {
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
  const int n_threads = std::min(omp_get_max_threads(), kMaxThreads);
  // Where degrees grow from window to window most chunks of the first ones hold nothing but zeros: deflated once.
  std::once_flag made;
  PackedChunk zeros;
  const auto pack_chunk = [&](const std::vector<double>& numbers, PackedChunk& packed) {
    if (!is_zero(numbers)) return pack(numbers, level, packed);
    std::call_once(made, [&] { pack(numbers, level, zeros); });
    packed.bytes = zeros.bytes;
    packed.skipped = zeros.skipped;
  };
  // A few at a time, so that the packed copy stays small.
  const std::size_t together = 2 * static_cast<std::size_t>(n_threads);
  for (std::size_t first = 0; first < offsets.size(); first += together) {
    const auto n = static_cast<std::ptrdiff_t>(std::min(together, offsets.size() - first));
    std::vector<PackedChunk> packed(static_cast<std::size_t>(n));
    ThreadErrors errors;
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n > 1)
    for (std::ptrdiff_t i = 0; i < n; ++i)
      errors.run([&] {
        PackedChunk& own = packed[static_cast<std::size_t>(i)];
        own.offset = offsets[first + static_cast<std::size_t>(i)];
        pack_chunk(cut(dims, chunk, own.offset, parts), own);
      });
    errors.rethrow();
    for (const PackedChunk& own : packed)
      check(H5Dwrite_chunk(dataset, H5P_DEFAULT, own.skipped, own.offset.data(), own.bytes.size(), own.bytes.data()),
            "writing the dataset " + name);
  }
}

}  // namespace gwrm::hdf5
