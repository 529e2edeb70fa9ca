// gwrm plot: hands its arguments to the Python package gwrm_post, which draws.
#include "cli/options.hpp"
#include "cli/python_program.hpp"

namespace gwrm::cli {

ExitStatus plot_command(const Options& options) {
  std::vector<std::string> words = {"plot"};
  words.insert(words.end(), options.plot_arguments.begin(), options.plot_arguments.end());
  become_python(words);
}

}  // namespace gwrm::cli
