// The input decides on changes to a result file that leave it sound HDF5, and on what is done with it
// (hard_input/edit_result.hpp). So the reader's own checks are reached in this process, without a child.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/read_result.hpp"
#include "hard_input/edit_result.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gwrm;
  const fuzz::SampleResults& samples = fuzz::sample_results();
  std::size_t used = 0;
  // Two bytes a decision; zeros when the input is at its end.
  const auto below = [&](std::size_t n) {
    std::size_t number = 0;
    for (int i = 0; i < 2 && used < size; ++i) number = number << 8 | data[used++];
    return number % n;
  };
  const std::string& bytes = samples.bytes()[below(samples.bytes().size())];
  const std::string path = samples.path("edited.h5"), other = samples.path("whole.h5");
  const std::size_t command = below(fuzz::kReadings);
  hard_input::put_bytes(path, bytes);
  hard_input::put_bytes(other, bytes);
  hard_input::edit_result(path, below);
  fuzz::read_result(path, other, command);
  return 0;
}
