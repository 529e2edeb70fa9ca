#include "cli/python_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/errors.hpp"

namespace gwrm::cli {
namespace {

namespace fs = std::filesystem;

// A Python without the packages is the usual mishap: it gets the cure instead of a traceback. SIGINT ends it as it ends
// other programs, while it loads its packages too.
constexpr const char* kProgram = R"(import signal, sys
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
try:
    from gwrm_post.__main__ import main
    sys.exit(main(sys.argv[1:], "gwrm"))
except ImportError as error:
    sys.stderr.write(f"error: gwrm {sys.argv[1]} needs numpy, h5py, xarray, h5netcdf, matplotlib and gwrm_post in {sys.executable}, "
                     f"but: {error}. Prepare them with `./bootstrap python` in the source tree of gwrm, or with `pip install "
                     ".` there in a Python of yours and GWRM_PYTHON=/its/bin/python\n")
    sys.exit(2)
)";

// The source tree that this program was built in, found from where it stands (build/<preset>/bin); empty if none.
fs::path source_tree() {
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  while (!folder.empty() && folder != folder.root_path()) {
    if (fs::exists(folder / "postprocess/gwrm_post/__main__.py", error)) return folder;
    folder = folder.parent_path();
  }
  return {};
}

}  // namespace

void become_python(const std::vector<std::string>& given_words) {
  const fs::path tree = source_tree();
  std::error_code error;
  std::string python = "python3";  // the first one on the path
  if (const char* given = std::getenv("GWRM_PYTHON"); given != nullptr && *given != '\0')
    python = given;
  else if (const fs::path own = tree / ".venv/bin/python"; !tree.empty() && fs::exists(own, error))
    python = own.string();
  if (!tree.empty()) {
    const char* before = std::getenv("PYTHONPATH");
    const std::string path = (tree / "postprocess").string() + (before != nullptr ? std::string(":") + before : "");
    setenv("PYTHONPATH", path.c_str(), 1);
  }
  // By which films and pictures between the samples are evaluated, and cases checked and run.
  if (const fs::path own = fs::read_symlink("/proc/self/exe", error); !error) setenv("GWRM_PROGRAM", own.c_str(), 1);
  std::vector<std::string> words = {python, "-c", kProgram};
  words.insert(words.end(), given_words.begin(), given_words.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(python.c_str(), arguments.data());
  throw CaseError("gwrm " + given_words.front() + " needs Python, but '" + python + "' cannot be started (" +
                  std::strerror(errno) +
                  "): run `./bootstrap python` in the source tree of gwrm, or set GWRM_PYTHON to a Python that has "
                  "numpy, h5py, xarray, h5netcdf, matplotlib");
}

}  // namespace gwrm::cli
