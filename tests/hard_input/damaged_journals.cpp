// gwrm run --restart and gwrm sweep --restart on journals that are damaged or made to mislead: no crash, no hang, no
// memory beyond what the file accounts for, an exit status of the documented ones. A third is damaged under the
// checksums of its blocks, which the reader has to notice; of the others words of a block are changed, lost or doubled,
// or whole blocks are, and every checksum holds. The text of the case, which comes first in a journal, stays as it is:
// what a case may ask for is the part of mutated_cases.
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "cli/options.hpp"
#include "cli/process_settings.hpp"
#include "core/log.hpp"
#include "core/team.hpp"
#include "hard_input/edit_result.hpp"
#include "hard_input/trials.hpp"
#include "output/journal_bytes.hpp"
#include "output/sweep_journal.hpp"
#include "problems/sweep/sweep.hpp"

namespace gwrm::hard_input {
namespace {

using journal::Bytes;

constexpr const char* kUsage =
    "usage: damaged_journals INPUTS [--count N] [--first N] [--seed N] [--jobs N] [--seconds N] [--findings FOLDER]";
// The runs themselves, whole, take less than a quarter of it.
constexpr std::size_t kMostMemory = std::size_t{400} << 20;

struct JournalOriginal {
  std::string case_name;
  std::vector<std::string> sets;
  int n_windows;                       // after so many the run was interrupted
  std::vector<std::string> vary = {};  // of a sweep
  std::string bytes = {};
};

std::vector<JournalOriginal> originals() {
  const std::vector<std::string> coarse = {"resolution.degree={t: 4, x: 6}", "output.grid={t: 3, x: 5}"};
  return {
      {"burgers_degrees",
       {"resolution.degree={t: 6, x: 8}", "resolution.domains={t: 5}", "output.grid={t: 3, x: 5}"},
       3},
      {"burgers_degrees",
       {"resolution.degree={t: 4, x: 6}", "resolution.domains={t: 4, x: 3}", "output.grid={t: 3, x: 5}"},
       2},
      {"burgers_degrees", {"resolution={tolerance: 1.0e-3}", "verification={}", "output.grid={t: 3, x: 5}"}, 2},
      {"burgers_viscosity",
       {"resolution.degree={t: 4, x: 8, nu: 3}", "output.grid={t: 3, x: 5, nu: 3}", "resolution.domains={t: 4}"},
       2},
      {"lorenz84", {"resolution={tolerance: 1.0e-3}", "verification={}", "domain.t=[0, 1]", "output.grid={t: 5}"}, 2},
      {"burgers_degrees", coarse, 3, {"constants.nu=0.1,0.2,0.3", "solver.linear=dense,auto"}},
      {"burgers_viscosity",
       {"resolution.degree={t: 4, x: 8, nu: 3}", "output.grid={t: 3, x: 5, nu: 3}"},
       1,
       {"constants.a=2,2.5,3"}},
  };
}

RunControl interrupted_after(int n, int& done) {
  RunControl control;
  control.progress = [&done](double, const std::string&) { ++done; };
  control.interrupted = [&done, n] { return done >= n; };
  return control;
}

void make_run(const JournalOriginal& original, const cli::Options& options, const std::string& journal) {
  int done = 0;
  RunControl control = interrupted_after(original.n_windows, done);
  control.journal = journal;
  make_problem(cli::load_case(options))->run(Context::create(BackendChoice::cpu, 1), control);
}

void make_sweep(const JournalOriginal& original, const cli::Options& options, const std::string& path) {
  SweepHeader header;
  header.case_name = options.case_path;
  header.case_text = bytes_of(options.case_path);
  header.sets = options.sets;
  header.output = "swept.h5";
  const ReadPoint read = [&](const std::vector<Override>& changes) { return cli::load_case(options, changes); };
  const Case base = read({});
  header.points = sweep_points(*options.modules, base, {original.vary, "", 0, 1, false});
  const SweepCosts costs = check_points(*options.modules, base, header.points, read, 1);
  SweepJournal journal(path, header, true);
  SweepExecution execution;
  execution.backend = BackendChoice::cpu;
  execution.n_threads = 1;
  execution.memory_bytes = static_cast<double>(costs.memory_bytes);
  int done = 0;
  Team team;
  run_sweep(team, *options.modules, read, order_of_runs(std::vector<bool>(header.points.n_runs(), false), costs),
            execution, journal, interrupted_after(original.n_windows, done));
}

void make(JournalOriginal& original, const std::string& inputs, const std::string& folder) {
  const std::string path = folder + "/original.journal";
  std::filesystem::remove(path);
  const int status = in_child([&] {
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    cli::Options options;
    options.case_path = inputs + "/" + original.case_name + ".yaml";
    options.sets = original.sets;
    try {
      (original.vary.empty() ? make_run : make_sweep)(original, options, path);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
    return 0;
  });
  original.bytes = bytes_of(path);
  if (status == 0 && !original.bytes.empty()) return;
  std::fprintf(stderr, "%s: no journal\n", original.case_name.c_str());
  std::exit(2);
}

std::vector<JournalOriginal> make_originals(const std::string& inputs) {
  std::string folder = (std::filesystem::temp_directory_path() / "gwrm_journals_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::exit(2);
  std::vector<JournalOriginal> all = originals();
  for (JournalOriginal& original : all) make(original, inputs, folder);
  std::filesystem::remove_all(folder);
  return all;
}

// A journal in its parts.
struct Block {
  std::string mark;
  Bytes payload;
};

std::vector<Block> blocks_of(const std::string& bytes) {
  const Bytes all(bytes.begin(), bytes.end());
  std::vector<Block> blocks;
  for (std::size_t at = journal::kFileStart; at < all.size();) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(at + journal::kBlockStart);
    const std::size_t length = journal::word_at(all, at + journal::kWord);
    blocks.push_back({bytes.substr(at, journal::kWord), Bytes(first, first + static_cast<std::ptrdiff_t>(length))});
    at += journal::kBlockStart + length + journal::kTrailer;
  }
  return blocks;
}

std::string put_together(const std::string& original, const std::vector<Block>& blocks) {
  journal::Encoder file;
  file.mark(original.substr(0, journal::kFileStart));
  for (const Block& block : blocks) file.block(block.mark, block.payload);
  return {file.bytes().begin(), file.bytes().end()};
}

std::uint64_t hostile_word(Trial& trial) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kAll = std::numeric_limits<double>::infinity();
  static const std::array<double, 12> numbers = {0.0,  -0.0,  1.0,   -1.0,   0.5,  kNone,
                                                 kAll, -kAll, 1e308, 5e-324, 1e-9, 2.0};
  static const std::array<std::uint64_t, 12> words = {0,
                                                      1,
                                                      2,
                                                      3,
                                                      7,
                                                      100,
                                                      1000000,
                                                      std::uint64_t{1} << 31,
                                                      std::uint64_t{1} << 32,
                                                      std::uint64_t{1} << 61,
                                                      std::uint64_t{1} << 63,
                                                      ~std::uint64_t{0}};
  return trial.below(2) == 0 ? words[trial.below(words.size())]
                             : std::bit_cast<std::uint64_t>(numbers[trial.below(numbers.size())]);
}

// One word of the payload: another value, that of another word, gone, doubled. `first`: those before it stay.
void change_word(Bytes& payload, std::size_t first, Trial& trial) {
  constexpr auto kWord = static_cast<std::ptrdiff_t>(journal::kWord);
  const std::size_t n = payload.size() / journal::kWord;
  if (n <= first) return;
  // Half of them among the counts, degrees and times in front of the numbers.
  const std::size_t most = trial.below(2) == 0 ? std::min<std::size_t>(n - first, 40) : n - first;
  const auto at = payload.begin() + static_cast<std::ptrdiff_t>(first + trial.below(most)) * kWord;
  const auto other = payload.begin() + static_cast<std::ptrdiff_t>(first + trial.below(n - first)) * kWord;
  switch (trial.below(8)) {
    case 0:
      payload.erase(at, at + kWord);
      break;
    case 1: {
      const Bytes doubled(other, other + kWord);
      payload.insert(at, doubled.begin(), doubled.end());
      break;
    }
    case 2:
      std::copy_n(other, kWord, at);
      break;
    default: {
      const std::uint64_t word = hostile_word(trial);
      for (std::size_t i = 0; i < journal::kWord; ++i)
        at[static_cast<std::ptrdiff_t>(i)] = static_cast<unsigned char>(word >> (8 * i));
    }
  }
}

// How many words of the head come before what is not the case: in a sweep's two texts, else one.
std::size_t words_of_case(const Bytes& head, bool is_sweep) {
  std::size_t words = 0;
  for (int text = 0; text < (is_sweep ? 2 : 1); ++text)
    words += 1 + (journal::word_at(head, words * journal::kWord) + journal::kWord - 1) / journal::kWord;
  return words;
}

std::string forged(const JournalOriginal& original, Trial& trial) {
  std::vector<Block> blocks = blocks_of(original.bytes);
  for (std::size_t n = 1 + trial.below(3); n > 0; --n) {
    const std::size_t place = trial.below(4) == 0 ? 0 : trial.below(blocks.size()), other = trial.below(blocks.size());
    if (trial.below(6) > 0) {
      change_word(blocks[place].payload, place == 0 ? words_of_case(blocks[0].payload, !original.vary.empty()) : 0,
                  trial);
      continue;
    }
    const Block copy = blocks[other];
    if (place > 0 && trial.below(2) == 0)
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(place));
    else
      blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(place + 1), copy);
  }
  return put_together(original.bytes, blocks);
}

int read_by(std::size_t command, bool is_sweep, const std::string& folder, std::string& output) {
  cli::Options options;
  options.restart = folder + "/run.journal";
  options.output = output = folder + "/result.h5";
  options.threads = 1;
  options.backend = "cpu";
  options.json = command == 1;
  options.so_far = is_sweep && command > 0;
  return cli::carry_out(is_sweep ? cli::sweep_command : cli::run_command, options);
}

// 3, 4, 6: of the run that goes on from numbers that are not its own.
bool is_documented(int status) {
  return status == 0 || (status >= 2 && status <= 9);
}

}  // namespace
}  // namespace gwrm::hard_input

int main(int argc, char** argv) {
  using namespace gwrm;
  using namespace gwrm::hard_input;
  apply_process_settings();
  const TrialOptions options = parse_trial_options(argc, argv, kUsage);
  configure_log(Verbosity::quiet);
  const std::vector<JournalOriginal> all = make_originals(options.inputs);

  return run_trials(options, [&](Trial& trial) {
    const JournalOriginal& original = all[trial.number % all.size()];
    const bool is_damaged = trial.below(3) == 0;
    const std::size_t start = original.bytes.size() < 100 ? 0 : journal::kFileStart;
    const std::string bytes =
        is_damaged ? original.bytes.substr(0, start) +
                         damaged_bytes(original.bytes.substr(start), [&](std::size_t n) { return trial.below(n); })
                   : forged(original, trial);
    put_bytes(trial.folder + "/run.journal", bytes);
    TrialResult result;
    std::string output;
    set_memory_mark_back();
    result.status = read_by(trial.below(2), !original.vary.empty(), trial.folder, output);
    if (!is_documented(result.status))
      result.complaint = "exit status " + std::to_string(result.status);
    else if (result.status != 0 && said_so_far().find("error: ") == std::string::npos)
      result.complaint = "no message with exit status " + std::to_string(result.status);
    else if (result.status == 0 && !std::filesystem::exists(output))
      result.complaint = "no result with exit status 0";
    else if (const std::size_t memory = most_memory(); memory > kMostMemory)
      result.complaint = "took " + std::to_string(memory >> 20) + " MB";
    return result;
  });
}
