// Writes the sample result files into a folder, without their checksums: the seeds of result_bytes_fuzzer.
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
    gwrm::hard_input::put_bytes(std::string(argv[1]) + "/sample_" + std::to_string(number++) + ".h5",
                                gwrm::hard_input::without_trailer(bytes));
  return 0;
}
