// What eval, export, rerun and diff do with a result file, for the fuzz targets of the reader.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gwrm::fuzz {

// A folder of this process that is removed at its end, with result files of every shape as gwrm writes them, the last
// one of a sweep, small ones.
class SampleResults {
 public:
  SampleResults();
  ~SampleResults();
  SampleResults(const SampleResults&) = delete;
  SampleResults& operator=(const SampleResults&) = delete;

  const std::vector<std::string>& bytes() const { return bytes_; }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
  std::vector<std::string> bytes_;
};

const SampleResults& sample_results();  // made at the first call

// One of kReadings things: eval (as rerun before its run), diff with the sound file `other`, export as CSV, VTK, XDMF.
// Everything that is refused is refused with an OutputError (or a CaseError: the case in it, an export without space).
// Anything else ends the program.
inline constexpr std::size_t kReadings = 5;
void read_result(const std::string& path, const std::string& other, std::size_t command);

}  // namespace gwrm::fuzz
