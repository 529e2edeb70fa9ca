#include "hard_input/trials.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <new>
#include <vector>

namespace gwrm::hard_input {
namespace {

namespace fs = std::filesystem;

// What the processes tell their parent.
struct Shared {
  std::array<std::atomic<std::uint64_t>, 256> statuses;
  std::atomic<std::uint64_t> complaints;
  std::array<std::atomic<std::uint64_t>, 256> current;  // trial of each worker
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Runner {
 public:
  Runner(const TrialOptions& options, const std::function<TrialResult(Trial&)>& work)
      : options_(options), work_(work), folder_(make_folder()) {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    shared_ = new (memory) Shared();
  }
  ~Runner() {
    std::error_code none;
    fs::remove_all(folder_, none);
    munmap(shared_, sizeof(Shared));
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  int run() {
    const auto began = std::chrono::steady_clock::now();
    for (int worker = 0; worker < options_.jobs; ++worker)
      start(worker, options_.first + static_cast<std::uint64_t>(worker));
    while (!workers_.empty()) {
      int status = 0;
      const pid_t process = waitpid(-1, &status, 0);
      if (process < 0 && errno == EINTR) continue;
      const auto found = workers_.find(process);
      if (found == workers_.end()) continue;
      const int worker = found->second;
      workers_.erase(found);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      const std::uint64_t number = shared_->current[static_cast<std::size_t>(worker)];
      ++deaths_;
      note(worker, number, how_it_ended(status));
      start(worker, number + static_cast<std::uint64_t>(options_.jobs));
    }
    report(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    return deaths_ + shared_->complaints > 0 ? 1 : 0;
  }

 private:
  static fs::path make_folder() {
    std::string pattern = (fs::temp_directory_path() / "gwrm_trials_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw fs::filesystem_error("trials", std::error_code(errno, std::generic_category()));
    return pattern;
  }

  fs::path folder_of(int worker) const { return folder_ / std::to_string(worker); }
  fs::path log_of(int worker) const { return folder_ / (std::to_string(worker) + ".log"); }

  static std::string how_it_ended(int status) {
    if (WIFEXITED(status)) return "ended with " + std::to_string(WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    if (number == SIGPROF || number == SIGALRM) return "took too long";
    return "killed by signal " + std::to_string(number) + ", " + strsignal(number);
  }

  void start(int worker, std::uint64_t first) {
    if (first >= options_.first + options_.count) return;
    std::cout.flush();
    const pid_t process = fork();
    if (process < 0) throw std::bad_alloc();
    if (process > 0) {
      workers_[process] = worker;
      return;
    }
    int status = 3;
    try {
      run_worker(worker, first);
      status = 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::fflush(nullptr);
    _exit(status);
  }

  static void limit(unsigned seconds) {
    const itimerval processor = {{0, 0}, {static_cast<time_t>(seconds), 0}};
    setitimer(ITIMER_PROF, &processor, nullptr);
    alarm(10 * seconds);
  }

  void run_worker(int worker, std::uint64_t first) {
    const rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    const int nowhere = open("/dev/null", O_WRONLY),
              log = open(log_of(worker).c_str(), O_CREAT | O_RDWR | O_TRUNC | O_APPEND, 0600);
    dup2(nowhere, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    for (std::uint64_t number = first; number < options_.first + options_.count;
         number += static_cast<std::uint64_t>(options_.jobs)) {
      shared_->current[static_cast<std::size_t>(worker)] = number;
      fs::remove_all(folder_of(worker));
      fs::create_directories(folder_of(worker));
      if (ftruncate(STDERR_FILENO, 0) != 0) throw std::bad_alloc();
      std::seed_seq seed{options_.seed, options_.seed >> 32, number, number >> 32};
      Trial trial{number, folder_of(worker), std::mt19937_64(seed)};
      limit(options_.seconds);
      const TrialResult result = work_(trial);
      limit(0);
      ++shared_->statuses[static_cast<std::size_t>(result.status) & 255];
      if (result.complaint.empty()) continue;
      ++shared_->complaints;
      note(worker, number, result.complaint);
    }
  }

  // Keeps the input of a finding and all that was said.
  void note(int worker, std::uint64_t number, const std::string& what) {
    const std::string said = text_of(log_of(worker));
    std::fprintf(stdout_of_all(), "trial %llu: %s\n%s\n", static_cast<unsigned long long>(number), what.c_str(),
                 said.substr(0, 2000).c_str());
    std::fflush(stdout_of_all());
    if (options_.findings.empty()) return;
    const fs::path place = fs::path(options_.findings) / std::to_string(number);
    std::error_code none;
    fs::create_directories(place, none);
    fs::copy(folder_of(worker), place, fs::copy_options::recursive | fs::copy_options::overwrite_existing, none);
    std::ofstream(place / "said.txt") << what << "\n" << said;
  }

  FILE* stdout_of_all() const { return out_; }

  void report(double seconds) const {
    rusage usage = {};
    getrusage(RUSAGE_CHILDREN, &usage);
    std::printf("%llu trials from %llu on, seed %llu: %.0f s, largest process %.0f MB\n",
                static_cast<unsigned long long>(options_.count), static_cast<unsigned long long>(options_.first),
                static_cast<unsigned long long>(options_.seed), seconds, static_cast<double>(usage.ru_maxrss) / 1024.0);
    for (std::size_t status = 0; status < shared_->statuses.size(); ++status)
      if (const std::uint64_t n = shared_->statuses[status]; n > 0)
        std::printf("  exit status %zu: %llu\n", status, static_cast<unsigned long long>(n));
    std::printf("  died or took too long: %llu\n  other complaints: %llu\n", static_cast<unsigned long long>(deaths_),
                static_cast<unsigned long long>(shared_->complaints));
  }

  const TrialOptions& options_;
  const std::function<TrialResult(Trial&)>& work_;
  fs::path folder_;
  Shared* shared_ = nullptr;
  std::map<pid_t, int> workers_;
  std::uint64_t deaths_ = 0;
  FILE* out_ = fdopen(dup(STDOUT_FILENO), "w");  // the workers' own goes nowhere
};

std::uint64_t number_of(const std::string& text, const char* usage) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  std::fprintf(stderr, "%s\n", usage);
  std::exit(2);
}

}  // namespace

TrialOptions parse_trial_options(int argc, char** argv, const char* usage) {
  TrialOptions options;
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.rfind("--", 0) != 0 && options.inputs.empty()) {
      options.inputs = word;
      continue;
    }
    const std::string value = i + 1 < words.size() ? words[++i] : "";
    if (word == "--findings")
      options.findings = value;
    else if (word == "--program")
      options.program = value;
    else if (word == "--count")
      options.count = number_of(value, usage);
    else if (word == "--first")
      options.first = number_of(value, usage);
    else if (word == "--seed")
      options.seed = number_of(value, usage);
    else if (word == "--jobs")
      options.jobs = static_cast<int>(std::clamp<std::uint64_t>(number_of(value, usage), 1, 256));
    else if (word == "--seconds")
      options.seconds = static_cast<unsigned>(std::clamp<std::uint64_t>(number_of(value, usage), 1, 3600));
    else
      options.inputs.clear(), i = words.size();
  }
  if (options.inputs.empty()) {
    std::fprintf(stderr, "%s\n", usage);
    std::exit(2);
  }
  return options;
}

int run_trials(const TrialOptions& options, const std::function<TrialResult(Trial&)>& work) {
  return Runner(options, work).run();
}

std::string said_so_far() {
  std::fflush(stderr);
  std::string text(1 << 16, '\0');
  const ssize_t length = pread(STDERR_FILENO, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, length)));
  return text;
}

namespace {

long children_at_mark = 0;

long most_of_children() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss;
}

}  // namespace

void set_memory_mark_back() {
  std::ofstream("/proc/self/clear_refs") << "5";
  children_at_mark = most_of_children();
}

std::size_t most_memory() {
#if defined(__SANITIZE_ADDRESS__)
  return 0;
#endif
  std::size_t most = most_of_children() > children_at_mark ? static_cast<std::size_t>(most_of_children()) << 10 : 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) most = std::max(most, std::size_t{std::stoull(line.substr(6))} << 10);
  return most;
}

int in_child(const std::function<int()>& work) {
  const pid_t process = fork();
  if (process == 0) {
    const int status = work();
    std::cout.flush();
    _exit(status);
  }
  int status = 0;
  while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return process > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace gwrm::hard_input
