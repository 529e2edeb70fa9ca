// Any bytes as a result file without checksum: HDF5 itself does not survive every damage, which the reader finds out in
// a child process first. The length says what is done with it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/read_result.hpp"
#include "hard_input/edit_result.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gwrm;
  const fuzz::SampleResults& samples = fuzz::sample_results();
  static const std::string path = samples.path("damaged.h5"), other = [&] {
    hard_input::put_bytes(samples.path("good.h5"), samples.bytes().front());
    return samples.path("good.h5");
  }();
  hard_input::put_bytes(path, std::string(reinterpret_cast<const char*>(data), size));
  fuzz::read_result(path, other, size % fuzz::kReadings);
  return 0;
}
