// gwrm serve: a page of this machine on which a case is edited, solved and looked at, by gwrm_post
// (postprocess/gwrm_post/serve).
#include "cli/options.hpp"
#include "cli/python_program.hpp"

namespace gwrm::cli {

ExitStatus serve_command(const Options& options) {
  std::vector<std::string> words = {"serve"};
  if (options.port > 0) words.insert(words.end(), {"--port", std::to_string(options.port)});
  if (options.browser) words.push_back("--browser");
  if (options.threads > 0) words.insert(words.end(), {"--threads", std::to_string(options.threads)});
  if (!options.backend.empty()) words.insert(words.end(), {"--backend", options.backend});
  words.insert(words.end(), {"--", options.case_path});
  become_python(words);
}

}  // namespace gwrm::cli
