#include "output/journal.hpp"

#include <fcntl.h>

#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "core/errors.hpp"
#include "output/journal_file.hpp"
#include "output/journal_format.hpp"

namespace gwrm {
namespace {

using namespace journal;

// Of more than `most` records the first.
JournalScan scan(const std::string& path, const JournalFile& file, const JournalVisitor& visit,
                 std::size_t most = std::numeric_limits<std::size_t>::max()) {
  const std::uint64_t size = file.size();
  std::array<unsigned char, kFileStart> start = {};
  if (!file.read(0, start) || !has_mark(start, kFileMark))
    fail(path, has_mark(start, kSweepMark)
                   ? "the journal of a sweep; continue it with gwrm sweep --restart"
                   : "not a journal of gwrm; give the name of the .journal file of an interrupted run");
  const std::uint64_t format = word_at(start, kWord);
  if (format < kOldestFormat || format > kFormat)
    fail(path, "a journal of format " + std::to_string(format) + ", this program reads formats " +
                   std::to_string(kOldestFormat) + " to " + std::to_string(kFormat) +
                   "; continue the run with the version that began it, or begin afresh");

  JournalScan result;
  std::uint64_t offset = kFileStart;
  const std::optional<Bytes> header_block = read_block(file, kHeaderMark, size, offset);
  std::optional<JournalHeader> header;
  if (header_block) header = decode_header(*header_block, format);
  if (!header) fail(path, "the head of the journal is damaged; delete the file and begin the run afresh");
  result.header = std::move(*header);
  result.complete_bytes = offset;

  while (result.n_windows < most) {
    const std::optional<Bytes> block = read_block(file, kWindowMark, size, offset);
    if (!block) break;
    std::optional<JournalWindow> window = decode_window(*block, result.n_windows);
    if (!window) break;
    ++result.n_windows;
    result.complete_bytes = offset;
    if (visit) visit(std::move(*window));
  }
  result.dropped_bytes = size - result.complete_bytes;
  return result;
}

}  // namespace

JournalScan scan_journal(const std::string& path, const JournalVisitor& visit) {
  return scan(path, JournalFile(path, O_RDONLY), visit);
}

Journal read_journal(const std::string& path) {
  Journal journal;
  journal.scan = scan_journal(path, [&](JournalWindow window) { journal.windows.push_back(std::move(window)); });
  return journal;
}

void remove_journal(const std::string& path) {
  if (!exists(path)) return;
  const auto file = open_to_append(path);
  std::array<unsigned char, kFileStart> start = {};
  if (!file->read(0, start) || !has_mark(start, kFileMark)) fail(path, "not a journal of gwrm, so it is not deleted");
  delete_file(path);
}

JournalWriter::JournalWriter(const std::string& path, const JournalHeader& header, bool overwrite)
    : file_(std::make_unique<BlockAppender>(path, encode_start(header), overwrite, BlockAppender::Kind{})) {}

JournalWriter::JournalWriter(const std::string& path, const JournalVisitor& visit)
    : file_(std::make_unique<BlockAppender>(path, BlockAppender::Kind{})) {
  found_ = scan(path, file_->file(), visit);
  file_->continue_behind(found_.complete_bytes, found_.n_windows);
}

JournalWriter::~JournalWriter() = default;

void JournalWriter::cut_behind(std::size_t n) {
  file_->check_open();
  if (n >= n_windows()) return;
  found_ = scan(file_->path(), file_->file(), {}, n);
  file_->continue_behind(found_.complete_bytes, found_.n_windows);
}

std::size_t JournalWriter::n_windows() const {
  return file_->n_records();
}

void JournalWriter::append(const JournalWindow& window) {
  for (const Array& field : window.fields)
    if (element_count(field.shape) != field.size())
      throw ShapeError("journal: an array's extents do not agree with the number of its values");
  append(window, std::vector<ArrayView>(window.fields.begin(), window.fields.end()));
}

void JournalWriter::append(const JournalWindow& window, std::span<const ArrayView> fields) {
  file_->check_open();
  const Encoder block = encode_window(window, fields, n_windows());
  file_->append(block.pieces());
}

void JournalWriter::flush() {
  file_->flush();
}

void JournalWriter::close() {
  file_->close();
}

void JournalWriter::remove() {
  file_->remove();
}

}  // namespace gwrm
