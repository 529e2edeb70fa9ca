#include "kernels/device/device_cache.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/files_at_end.hpp"

namespace gwrm {
namespace {

namespace fs = std::filesystem;

// Empty: no cache.
fs::path cache_folder() {
  if (const char* named = std::getenv("GWRM_CACHE"); named != nullptr && *named != '\0')
    return std::string(named) == "off" ? fs::path() : fs::path(named);
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return fs::path(cache) / "gwrm";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "gwrm";
  return {};
}

fs::path path_of(const fs::path& folder, const std::string& kind, const std::string& question) {
  return folder / (std::to_string(checksum(question)) + "." + kind);
}

std::string number(std::uint64_t value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

// heading, length of the question, question, answer, checksum of all before it.
std::string start_of(const std::string& kind, const std::string& question) {
  return "gwrm device " + kind + " 1\n" + number(question.size()) + question;
}

}  // namespace

std::uint64_t checksum(const std::string& text) {
  std::uint64_t sum = 14695981039346656037ull;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return sum;
}

std::string kept_answer(const std::string& kind, const std::string& question) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return {};
  std::ifstream file(path_of(folder, kind, question), std::ios::binary);
  if (!file) return {};
  const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string start = start_of(kind, question);
  if (all.size() < start.size() + sizeof(std::uint64_t) || all.compare(0, start.size(), start) != 0) return {};
  const std::size_t end = all.size() - sizeof(std::uint64_t);
  if (number(checksum(all.substr(0, end))) != all.substr(end)) return {};
  return all.substr(start.size(), end - start.size());
}

void keep_answer(const std::string& kind, const std::string& question, const std::string& answer) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  const fs::path path = path_of(folder, kind, question);
  static std::atomic<int> n_written{0};  // several threads may keep the same answer
  const fs::path other = path.string() + "." + std::to_string(getpid()) + "." + std::to_string(n_written++);
  const FileAtEnd listed(FileKind::temporary, other.string());
  {
    const std::string all = start_of(kind, question) + answer;
    std::ofstream file(other, std::ios::binary | std::ios::trunc);
    file << all << number(checksum(all));
    file.close();
    if (!file) {
      fs::remove(other, failed);
      return;
    }
  }
  fs::rename(other, path, failed);
  if (failed) fs::remove(other, failed);
}

}  // namespace gwrm
