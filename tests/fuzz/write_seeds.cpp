// Writes the sample result files into a folder, without their checksums: the seeds of result_bytes_fuzzer, of each
// length that asks for another command.
#include <cstdio>

#include "fuzz/read_result.hpp"
#include "hard_input/edit_result.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_seeds FOLDER\n");
    return 2;
  }
  int number = 0;
  for (const std::string& bytes : gwrm::fuzz::sample_results().bytes())
    for (std::size_t command = 0; command < gwrm::fuzz::kReadings; ++command) {
      std::string seed = gwrm::hard_input::without_trailer(bytes);
      while (seed.size() % gwrm::fuzz::kReadings != command) seed.push_back('\0');  // HDF5 does not look behind its end
      gwrm::hard_input::put_bytes(std::string(argv[1]) + "/sample_" + std::to_string(number++) + ".h5", seed);
    }
  return 0;
}
