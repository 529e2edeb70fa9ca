#include "output/hdf5_chunks.hpp"
#include "core/thread_errors.hpp"

#include <omp.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>

namespace gwrm::hdf5 {
namespace {

constexpr std::uint32_t kFiltersSkipped = 3;  // bits of shuffle and deflate in a chunk's mask
// Bytes of one rank go in pieces, each of which is deflated where a sample out of its middle shrinks by a tenth, if
// the chunk shrinks by a fifth in all: exponents alone, which are alike in all coefficients, would save a tenth of the
// file, and cost more than all the rest of writing it.
constexpr std::size_t kPiece = 65536, kSample = 2048;
constexpr double kWorthDeflating = 0.9, kChunkWorthDeflating = 0.8;

std::size_t n_numbers(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>());
}

struct PackedChunk {
  Dims offset;
  std::vector<double> numbers;       // as they lie in the file where filters are skipped,
  std::vector<unsigned char> bytes;  // else what these made of them

  std::uint32_t skipped() const { return bytes.empty() ? kFiltersSkipped : 0; }
  const void* data() const { return bytes.empty() ? static_cast<const void*>(numbers.data()) : bytes.data(); }
  std::size_t size() const { return bytes.empty() ? numbers.size() * sizeof(double) : bytes.size(); }
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

constexpr bool kLittle = std::endian::native == std::endian::little;

void make_little_endian(std::vector<double>& numbers) {
  if constexpr (!kLittle)
    for (double& number : numbers) {
      auto* bytes = reinterpret_cast<unsigned char*>(&number);
      std::reverse(bytes, bytes + sizeof(double));
    }
}

// First bytes of all numbers, lowest first, then second bytes, ..: the filter H5Z_FILTER_SHUFFLE.
std::vector<unsigned char> shuffled(const std::vector<double>& numbers) {
  const std::size_t n = numbers.size();
  std::vector<unsigned char> bytes(n * sizeof(double));
  const auto* source = reinterpret_cast<const unsigned char*>(numbers.data());
  for (std::size_t b = 0; b < sizeof(double); ++b)
    for (std::size_t i = 0; i < n; ++i)
      bytes[b * n + i] = source[i * sizeof(double) + (kLittle ? b : sizeof(double) - 1 - b)];
  return bytes;
}

// What is left of a piece when it is deflated, by a sample: the entropy of single bytes would not see rows that repeat.
double left_of(std::span<const unsigned char> bytes) {
  if (std::adjacent_find(bytes.begin(), bytes.end(), std::not_equal_to<>()) == bytes.end()) return 0.0;
  const std::size_t n = bytes.size() < 8 * kSample ? bytes.size() : kSample;
  std::vector<unsigned char> packed(compressBound(n));
  uLongf n_packed = packed.size();
  const int status = compress2(packed.data(), &n_packed, bytes.data() + (bytes.size() - n) / 2, n, Z_BEST_SPEED);
  return status == Z_OK ? std::min(1.0, static_cast<double>(n_packed) / static_cast<double>(n)) : 1.0;
}

struct Piece {
  std::span<const unsigned char> bytes;
  double left;
};

std::vector<Piece> pieces_of(const std::vector<unsigned char>& raw) {
  std::vector<Piece> pieces;
  const std::size_t per_rank = raw.size() / sizeof(double);
  for (std::size_t first = 0; first < raw.size(); first += pieces.back().bytes.size()) {
    const std::size_t of_rank = per_rank - first % per_rank;
    // A short rest goes with the piece before it.
    const std::span<const unsigned char> bytes = std::span(raw).subspan(first, of_rank < 2 * kPiece ? of_rank : kPiece);
    pieces.push_back({bytes, left_of(bytes)});
  }
  return pieces;
}

bool worth_deflating(std::span<const Piece> pieces) {
  double left = 0.0, all = 0.0;
  for (const Piece& piece : pieces) {
    left += piece.left * static_cast<double>(piece.bytes.size());
    all += static_cast<double>(piece.bytes.size());
  }
  return left <= kChunkWorthDeflating * all;
}

// A stream for the filter H5Z_FILTER_DEFLATE; pieces stand in it as they are where deflating is not worth it. Nothing
// where it would be as long as the bytes.
std::vector<unsigned char> deflated(std::span<const Piece> pieces, std::size_t n_bytes, int level) {
  std::vector<unsigned char> packed(n_bytes);
  z_stream stream{};
  if (deflateInit(&stream, level) != Z_OK) return {};
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  int status = Z_OK;
  for (const Piece& piece : pieces) {
    status = deflateParams(&stream, piece.left <= kWorthDeflating ? level : Z_NO_COMPRESSION, Z_DEFAULT_STRATEGY);
    if (status != Z_OK) break;
    stream.next_in = const_cast<unsigned char*>(piece.bytes.data());  // zlib's declaration; it only reads
    stream.avail_in = static_cast<uInt>(piece.bytes.size());
    status = deflate(&stream, &piece == &pieces.back() ? Z_FINISH : Z_NO_FLUSH);
    if (status != Z_OK) break;
  }
  packed.resize(stream.total_out < n_bytes && status == Z_STREAM_END ? stream.total_out : 0);
  packed.shrink_to_fit();  // several chunks wait to be written
  deflateEnd(&stream);
  return packed;
}

bool is_zero(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double number) { return std::bit_cast<std::uint64_t>(number) == 0; });
}

void pack(std::vector<double> numbers, int level, PackedChunk& packed) {
  const std::vector<unsigned char> raw = shuffled(numbers);
  const std::vector<Piece> pieces = pieces_of(raw);
  if (worth_deflating(pieces)) packed.bytes = deflated(pieces, raw.size(), level);
  if (!packed.bytes.empty()) return;
  make_little_endian(numbers);
  packed.numbers = std::move(numbers);
}

}  // namespace

std::vector<double> cut(const Dims& dims, const Dims& extents, const Dims& offset, std::span<const Box> parts) {
  const std::size_t n = dims.size();
  std::vector<double> numbers(n_numbers(extents), 0.0);
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
  const auto pack_chunk = [&](std::vector<double> numbers, PackedChunk& packed) {
    if (!is_zero(numbers)) return pack(std::move(numbers), level, packed);
    std::call_once(made, [&] { pack(std::move(numbers), level, zeros); });
    packed.numbers = zeros.numbers;
    packed.bytes = zeros.bytes;
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
      check(H5Dwrite_chunk(dataset, H5P_DEFAULT, own.skipped(), own.offset.data(), own.size(), own.data()),
            "writing the dataset " + name);
  }
}

}  // namespace gwrm::hdf5
