#include "output/sweep_journal.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/errors.hpp"
#include "output/hdf5_format.hpp"
#include "output/journal_file.hpp"
#include "output/journal_format.hpp"

namespace gwrm {
namespace {

using namespace journal;

constexpr std::string_view kRunMark = "gwrmdone";
constexpr std::uint64_t kSweepFormat = 1;
constexpr BlockAppender::Kind kKind{FileKind::sweep, "run"};

Bytes head_payload(const SweepHeader& header) {
  Encoder payload;
  payload.text(header.case_name);
  payload.text(header.case_text);
  payload.texts(header.sets);
  payload.integer(header.manufactured);
  payload.integer(header.keep_runs);
  for (const std::string* text : {&header.backend, &header.output, &header.version, &header.git_revision})
    payload.text(*text);
  payload.word(header.points.dimensions.size());
  for (const SweptDimension& dimension : header.points.dimensions) {
    payload.text(dimension.name);
    payload.integer(dimension.together);
    payload.word(dimension.keys.size());
    for (const SweptKey& key : dimension.keys) {
      payload.text(key.key);
      payload.text(key.name);
      payload.texts(key.values);
    }
  }
  return payload.take();
}

Bytes encode_head(const SweepHeader& header) {
  Encoder file;
  file.mark(kSweepMark);
  file.word(kSweepFormat);
  file.block(kHeaderMark, head_payload(header));
  return file.take();
}

// Of a product that may not fit into an integer.
bool too_many_runs(const SweepPoints& points) {
  double n = 1.0;
  for (const SweptDimension& dimension : points.dimensions) n *= static_cast<double>(dimension.size());
  return n > static_cast<double>(kMostSweptRuns);
}

// Every array along axes of the run, in the root of the result file or in its one group.
bool arrays_fit(const SweepRun& run) {
  const auto fits = [&](const SweepArray& array) {
    if (array.axes.size() != array.values.shape.size()) return false;
    for (std::size_t d = 0; d < array.axes.size(); ++d) {
      const auto axis = std::find_if(run.axes.begin(), run.axes.end(),
                                     [&](const SweepAxis& other) { return other.name == array.axes[d]; });
      if (axis == run.axes.end() || static_cast<Index>(axis->size()) != array.values.shape[d]) return false;
    }
    return array.group.empty() || array.group == hdf5::kStatistics;
  };
  return std::all_of(run.arrays.begin(), run.arrays.end(), fits);
}

bool is_exit_status(int status) {
  return status >= static_cast<int>(ExitStatus::converged) && status <= static_cast<int>(ExitStatus::not_estimated);
}

std::optional<SweepHeader> decode_head(std::span<const unsigned char> payload) {
  Decoder in(payload);
  SweepHeader header;
  header.case_name = in.text();
  header.case_text = in.text();
  header.sets = in.texts();
  header.manufactured = in.integer() != 0;
  header.keep_runs = in.integer() != 0;
  for (std::string* text : {&header.backend, &header.output, &header.version, &header.git_revision}) *text = in.text();
  header.points.dimensions.resize(in.count(3));
  for (SweptDimension& dimension : header.points.dimensions) {
    dimension.name = in.text();
    dimension.together = in.integer() != 0;
    dimension.keys.resize(in.count(3));
    for (SweptKey& key : dimension.keys) {
      key.key = in.text();
      key.name = in.text();
      key.values = in.texts();
    }
    if (dimension.keys.empty()) return std::nullopt;
    for (const SweptKey& key : dimension.keys)
      if (key.values.empty() || key.values.size() != dimension.size()) return std::nullopt;
  }
  if (too_many_runs(header.points)) return std::nullopt;
  return in.complete() ? std::optional(std::move(header)) : std::nullopt;
}

Bytes run_payload(const SweepRun& run) {
  Encoder payload;
  payload.word(run.run);
  payload.integer(run.exit_status);
  for (const std::string* text : {&run.status, &run.reason, &run.verdict}) payload.text(*text);
  payload.integer(run.n_unknowns);
  for (const int count : {run.n_newton_iterations, run.n_linear_iterations, run.n_windows}) payload.integer(count);
  payload.number(run.wall_seconds);
  payload.word(run.estimates.size());
  for (const SweepRun::Estimate& estimate : run.estimates) {
    payload.text(estimate.field);
    payload.numbers({estimate.error, estimate.at_end});
  }
  payload.word(run.goals.size());
  for (const SweepRun::GoalValue& goal : run.goals) {
    payload.text(goal.name);
    payload.numbers({goal.value, goal.error});
  }
  payload.word(run.checks.size());
  for (const SweepRun::CheckValue& check : run.checks) {
    payload.text(check.kind);
    payload.text(check.subject);
    payload.number(check.value);
  }
  payload.word(run.axes.size());
  for (const SweepAxis& axis : run.axes) {
    payload.text(axis.name);
    payload.integer(axis.is_time);
    payload.word(axis.points.size());
    payload.numbers(axis.points);
    payload.texts(axis.labels);
  }
  payload.word(run.arrays.size());
  for (const SweepArray& array : run.arrays) {
    for (const std::string* text : {&array.group, &array.name, &array.long_name, &array.expression, &array.error_of})
      payload.text(*text);
    payload.texts(array.axes);
    payload.array(array.values);
  }
  return payload.take();
}

Bytes encode_run(const SweepRun& run) {
  Encoder record;
  record.block(kRunMark, run_payload(run));
  return record.take();
}

std::optional<SweepRun> decode_run(std::span<const unsigned char> payload, std::size_t n_runs) {
  Decoder in(payload);
  SweepRun run;
  run.run = in.word();
  if (run.run >= n_runs) return std::nullopt;
  run.exit_status = in.integer();
  for (std::string* text : {&run.status, &run.reason, &run.verdict}) *text = in.text();
  run.n_unknowns = static_cast<Index>(in.word());
  for (int* count : {&run.n_newton_iterations, &run.n_linear_iterations, &run.n_windows}) *count = in.integer();
  run.wall_seconds = in.number();
  run.estimates.resize(in.count(3));
  for (SweepRun::Estimate& estimate : run.estimates) {
    estimate.field = in.text();
    estimate.error = in.number();
    estimate.at_end = in.number();
  }
  run.goals.resize(in.count(3));
  for (SweepRun::GoalValue& goal : run.goals) {
    goal.name = in.text();
    goal.value = in.number();
    goal.error = in.number();
  }
  run.checks.resize(in.count(3));
  for (SweepRun::CheckValue& check : run.checks) {
    check.kind = in.text();
    check.subject = in.text();
    check.value = in.number();
  }
  run.axes.resize(in.count(4));
  for (SweepAxis& axis : run.axes) {
    axis.name = in.text();
    axis.is_time = in.integer() != 0;
    axis.points = in.numbers(in.count(1));
    axis.labels = in.texts();
  }
  run.arrays.resize(in.count(7));
  for (SweepArray& array : run.arrays) {
    for (std::string* text : {&array.group, &array.name, &array.long_name, &array.expression, &array.error_of})
      *text = in.text();
    array.axes = in.texts();
    array.values = in.array();
  }
  return in.complete() && is_exit_status(run.exit_status) && arrays_fit(run) ? std::optional(std::move(run))
                                                                             : std::nullopt;
}

SweepScan scan(const std::string& path, const JournalFile& file, const SweepVisitor& visit) {
  const std::uint64_t size = file.size();
  std::array<unsigned char, kFileStart> start = {};
  const bool is_there = file.read(0, start);
  if (!is_there || !has_mark(start, kSweepMark))
    fail(path, is_there && has_mark(start, kFileMark)
                   ? "the journal of a single run; continue it with gwrm run --restart"
                   : "not the journal of a sweep; give the name of the .journal file of an interrupted sweep");
  if (const std::uint64_t format = word_at(start, kWord); format != kSweepFormat)
    fail(path, "the journal of a sweep in format " + std::to_string(format) + ", this program reads format " +
                   std::to_string(kSweepFormat) + "; continue the sweep with the version that began it");
  SweepScan result;
  std::uint64_t offset = kFileStart;
  const std::optional<Bytes> head_block = read_block(file, kHeaderMark, size, offset);
  std::optional<SweepHeader> header;
  if (head_block) header = decode_head(*head_block);
  if (!header) fail(path, "the head of the journal is damaged; delete the file and begin the sweep afresh");
  result.header = std::move(*header);
  result.complete_bytes = offset;
  const std::size_t n_runs = result.header.points.n_runs();
  while (const std::optional<Bytes> block = read_block(file, kRunMark, size, offset)) {
    std::optional<SweepRun> run = decode_run(*block, n_runs);
    if (!run) break;
    ++result.n_records;
    result.complete_bytes = offset;
    if (visit) visit(std::move(*run));
  }
  result.dropped_bytes = size - result.complete_bytes;
  return result;
}

}  // namespace

std::vector<unsigned char> bytes_of(const SweepHeader& header) {
  return head_payload(header);
}

std::vector<unsigned char> bytes_of(const SweepRun& run) {
  return run_payload(run);
}

std::optional<SweepHeader> sweep_header_of(std::span<const unsigned char> bytes) {
  return decode_head(bytes);
}

std::optional<SweepRun> sweep_run_of_bytes(std::span<const unsigned char> bytes, std::size_t n_runs) {
  return decode_run(bytes, n_runs);
}

SweepScan scan_sweep_journal(const std::string& path, const SweepVisitor& visit) {
  return scan(path, JournalFile(path, O_RDONLY), visit);
}

SweepJournal::SweepJournal(const std::string& path, const SweepHeader& header, bool overwrite)
    : path_(path),
      header_(header),
      file_(std::make_unique<BlockAppender>(path, encode_head(header), overwrite, kKind)) {}

SweepJournal::SweepJournal(const std::string& path, const SweepVisitor& visit)
    : path_(path), file_(std::make_unique<BlockAppender>(path, kKind)) {
  SweepScan found = scan(path, file_->file(), visit);
  header_ = std::move(found.header);
  file_->continue_behind(found.complete_bytes, found.n_records);
}

SweepJournal::~SweepJournal() = default;

void SweepJournal::append(const SweepRun& run) {
  file_->append(encode_run(run));
}

void SweepJournal::flush() {
  file_->flush();
}

void SweepJournal::remove() {
  file_->remove();
}

}  // namespace gwrm
