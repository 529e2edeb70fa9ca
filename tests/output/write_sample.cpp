// Writes the sample of the name given to a file, for xarray_test.py. `empty`: a run that stopped before it had a
// history.
#include <cstdio>
#include <map>
#include <string>

#include "core/errors.hpp"
#include "output/sample_file.hpp"

int main(int argc, char** argv) {
  using namespace gwrm;
  const std::map<std::string, Solution (*)()> samples = {{"windowed", test::windowed_solution},
                                                         {"plane", test::plane_solution},
                                                         {"steady", test::steady_solution},
                                                         {"ode", test::ode_solution},
                                                         {"two_parameters", test::two_parameters_solution},
                                                         {"divided", test::divided_solution},
                                                         {"tensor", test::tensor_solution},
                                                         {"steady_divided", test::steady_divided_solution},
                                                         {"changing_degrees", test::changing_degrees_solution},
                                                         {"empty", test::ode_solution}};
  if (argc != 3 || samples.count(argv[1]) == 0) {
    std::string names;
    for (const auto& [name, solution] : samples) names += (names.empty() ? "" : "|") + name;
    std::fprintf(stderr, "usage: write_sample %s FILE\n", names.c_str());
    return 2;
  }
  try {
    test::SampleFile sample(samples.at(argv[1])());
    if (std::string(argv[1]) == "empty") sample.report = {};
    write_hdf5(argv[2], sample.data, true);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 8;
  }
  return 0;
}
