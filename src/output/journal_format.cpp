#include "output/journal_format.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "core/errors.hpp"
#include "output/checksum.hpp"

namespace gwrm::journal {
namespace {

std::size_t padded(std::size_t n) {
  return (n + kWord - 1) / kWord * kWord;
}

class Encoder {
 public:
  void mark(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  void word(std::uint64_t value) {
    for (std::size_t i = 0; i < kWord; ++i) bytes_.push_back(static_cast<unsigned char>(value >> (8 * i)));
  }
  void integer(std::int64_t value) { word(static_cast<std::uint64_t>(value)); }
  void number(double value) { word(std::bit_cast<std::uint64_t>(value)); }
  void numbers(const std::vector<double>& values) {
    bytes_.reserve(bytes_.size() + kWord * values.size());
    for (const double value : values) number(value);
  }
  void text(const std::string& value) {
    word(value.size());
    mark(value);
    bytes_.resize(padded(bytes_.size()));
  }
  void texts(const std::vector<std::string>& values) {
    word(values.size());
    for (const std::string& value : values) text(value);
  }
  void block(std::string_view name, const Bytes& payload) {
    const std::size_t start = bytes_.size();
    bytes_.reserve(start + kBlockStart + payload.size() + kTrailer);
    mark(name);
    word(payload.size());
    word(~std::uint64_t{payload.size()});
    bytes_.insert(bytes_.end(), payload.begin(), payload.end());
    const std::array<unsigned char, kTrailer> trailer = checksum_trailer(std::span(bytes_).subspan(start));
    bytes_.insert(bytes_.end(), trailer.begin(), trailer.end());
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

// What does not fit makes the decoding incomplete and every value after it 0; no count is trusted beyond the bytes
// there are.
class Decoder {
 public:
  explicit Decoder(std::span<const unsigned char> bytes) : bytes_(bytes) {}

  std::uint64_t word() {
    if (bytes_.size() < kWord) return refuse();
    const std::uint64_t value = word_at(bytes_, 0);
    bytes_ = bytes_.subspan(kWord);
    return value;
  }
  int integer() {
    const auto value = static_cast<std::int64_t>(word());
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) refuse();
    return static_cast<int>(value);
  }
  double number() { return std::bit_cast<double>(word()); }
  // Length of a list whose elements take at least so many words.
  std::size_t count(std::size_t words_each) {
    const std::uint64_t n = word();
    return n <= bytes_.size() / (kWord * words_each) ? n : refuse();
  }
  std::vector<double> numbers(std::size_t n) {
    std::vector<double> values(n);
    for (double& value : values) value = number();
    return values;
  }
  std::string text() {
    std::uint64_t n = word();
    if (n > bytes_.size()) n = refuse();
    std::string value(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(n));
    bytes_ = bytes_.subspan(std::min<std::size_t>(padded(n), bytes_.size()));
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values(count(1));
    for (std::string& value : values) value = text();
    return values;
  }
  Array array() {
    Array value;
    value.shape.resize(count(1));
    std::size_t n = 1;
    for (Index& extent : value.shape) {
      const std::uint64_t e = word();
      if (e > 0 && n > bytes_.size() / kWord / e) refuse();
      extent = static_cast<Index>(e);
      n *= e;
    }
    if (n > bytes_.size() / kWord) refuse();
    value.data = numbers(bad_ ? 0 : n);
    return value;
  }
  bool complete() const { return !bad_ && bytes_.empty(); }

 private:
  std::size_t refuse() {
    bad_ = true;
    bytes_ = {};
    return 0;
  }
  std::span<const unsigned char> bytes_;
  bool bad_ = false;
};

}  // namespace

std::uint64_t word_at(std::span<const unsigned char> bytes, std::size_t offset) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWord; ++i) word |= std::uint64_t{bytes[offset + i]} << (8 * i);
  return word;
}

bool has_mark(std::span<const unsigned char> bytes, std::string_view mark) {
  return std::memcmp(bytes.data(), mark.data(), mark.size()) == 0;
}

Bytes encode_start(const JournalHeader& header) {
  Encoder payload;
  payload.text(header.case_text);
  payload.text(header.version);
  payload.text(header.git_revision);
  payload.texts(header.axes);
  payload.texts(header.fields);
  payload.texts(header.bases);
  payload.integer(header.n_repeats);
  payload.numbers({header.tightening});
  Encoder file;
  file.mark(kFileMark);
  file.word(kFormat);
  file.block(kHeaderMark, payload.bytes());
  return file.bytes();
}

std::optional<JournalHeader> decode_header(std::span<const unsigned char> payload, std::uint64_t format) {
  Decoder in(payload);
  JournalHeader header;
  header.case_text = in.text();
  header.version = in.text();
  header.git_revision = in.text();
  header.axes = in.texts();
  header.fields = in.texts();
  header.bases = format > 1 ? in.texts() : std::vector<std::string>(header.axes.size(), kChebyshev);
  if (format > 2) {
    header.n_repeats = in.integer();
    header.tightening = in.number();
  }
  return in.complete() ? std::optional(std::move(header)) : std::nullopt;
}

Bytes encode_window(const JournalWindow& window, std::size_t number) {
  Encoder payload;
  payload.word(number);
  payload.integer(window.parameter_point);
  payload.numbers({window.start, window.end, window.next_step});
  payload.integer(window.n_factorisations);
  payload.numbers({window.reciprocal_condition, window.wall_seconds});
  payload.word(window.subdomains.size());
  for (const AxisDescription& subdomains : window.subdomains) {
    payload.integer(subdomains.degree);
    payload.word(subdomains.edges.size());
    payload.numbers(subdomains.edges);
  }
  payload.word(window.fields.size());
  for (const Array& field : window.fields) {
    if (element_count(field.shape) != field.size())
      throw ShapeError("journal: an array's extents do not agree with the number of its values");
    payload.word(field.shape.size());
    for (const Index extent : field.shape) payload.integer(extent);
    payload.numbers(field.data);
  }
  payload.word(window.newton.size());
  for (const NewtonRecord& record : window.newton) {
    for (const int value : {record.window, record.parameter_point, record.iteration, record.linear_iterations})
      payload.integer(value);
    payload.numbers({record.residual, record.correction, record.damping});
  }
  Encoder record;
  record.block(kWindowMark, payload.bytes());
  return record.bytes();
}

std::optional<JournalWindow> decode_window(std::span<const unsigned char> payload, std::size_t number) {
  Decoder in(payload);
  if (in.word() != number) return std::nullopt;
  JournalWindow window;
  window.parameter_point = in.integer();
  window.start = in.number();
  window.end = in.number();
  window.next_step = in.number();
  window.n_factorisations = in.integer();
  window.reciprocal_condition = in.number();
  window.wall_seconds = in.number();
  window.subdomains.resize(in.count(2));
  for (AxisDescription& subdomains : window.subdomains) {
    subdomains.degree = in.integer();
    subdomains.edges = in.numbers(in.count(1));
  }
  window.fields.resize(in.count(1));
  for (Array& field : window.fields) field = in.array();
  window.newton.resize(in.count(7));
  for (NewtonRecord& record : window.newton) {
    record.window = in.integer();
    record.parameter_point = in.integer();
    record.iteration = in.integer();
    record.linear_iterations = in.integer();
    record.residual = in.number();
    record.correction = in.number();
    record.damping = in.number();
  }
  return in.complete() ? std::optional(std::move(window)) : std::nullopt;
}

}  // namespace gwrm::journal
