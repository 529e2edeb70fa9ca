#include "cli/python_program.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "core/errors.hpp"

namespace gwrm::cli {
namespace {

namespace fs = std::filesystem;

// A Python without the packages is the usual mishap: it gets the cure instead of a traceback. SIGINT ends it as it ends
// other programs, while it loads its packages too. @CURE@ is one of the texts below.
constexpr std::string_view kProgram = R"(import signal, sys
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
try:
    from gwrm_post.__main__ import main
    sys.exit(main(sys.argv[1:], "gwrm"))
except ImportError as error:
    sys.stderr.write(f"error: gwrm {sys.argv[1]} needs numpy, h5py, xarray, h5netcdf, matplotlib and gwrm_post in {sys.executable}, "
                     f"but: {error}. @CURE@\n")
    sys.exit(2)
)";

constexpr const char* kCureInTree =
    "Prepare them with `./bootstrap python` in the source tree of gwrm, or with `pip install .` there in a Python of "
    "yours and GWRM_PYTHON=/its/bin/python";
constexpr const char* kCureOfInstalled =
    "On Debian: apt-get install python3-h5netcdf python3-matplotlib python3-xarray; elsewhere install them with pip in "
    "a Python of yours, and set GWRM_PYTHON=/its/bin/python";

// Where the package of this program is, and the Python that belongs to it; empty where there is none.
struct Home {
  fs::path packages;  // the folder of gwrm_post
  fs::path python;
  bool is_installed = false;
};

// A program in a source tree (build/<preset>/bin) has the package and the environment of the tree; one that was
// installed has what `cmake --install` put below its prefix, and the Python of the prefix, of which a package for
// Debian or conda asks for what is needed.
Home find_home() {
  std::error_code error;
  const auto has_package = [&error](const fs::path& folder) {
    return fs::exists(folder / "gwrm_post/__main__.py", error);
  };
  const auto if_there = [&error](const fs::path& file) { return fs::exists(file, error) ? file : fs::path(); };
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  while (!folder.empty() && folder != folder.root_path()) {
    if (const fs::path own = folder / "postprocess"; has_package(own))
      return {own, if_there(folder / ".venv/bin/python")};
    if (const fs::path own = folder / GWRM_INSTALL_DATADIR / "gwrm/postprocess"; has_package(own))
      return {own, if_there(folder / "bin/python3"), true};
    folder = folder.parent_path();
  }
  return {};
}

}  // namespace

void become_python(const std::vector<std::string>& given_words) {
  const Home home = find_home();
  std::error_code error;
  std::string python = "python3";  // the first one on the path
  if (const char* given = std::getenv("GWRM_PYTHON"); given != nullptr && *given != '\0')
    python = given;
  else if (!home.python.empty())
    python = home.python.string();
  if (!home.packages.empty()) {
    const char* before = std::getenv("PYTHONPATH");
    const std::string path = home.packages.string() + (before != nullptr ? std::string(":") + before : "");
    setenv("PYTHONPATH", path.c_str(), 1);
  }
  // By which films and pictures between the samples are evaluated, and cases checked and run.
  if (const fs::path own = fs::read_symlink("/proc/self/exe", error); !error) setenv("GWRM_PROGRAM", own.c_str(), 1);
  const std::string cure = home.is_installed ? kCureOfInstalled : kCureInTree;
  std::string program(kProgram);
  program.replace(program.find("@CURE@"), std::strlen("@CURE@"), cure);
  std::vector<std::string> words = {python, "-c", program};
  words.insert(words.end(), given_words.begin(), given_words.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(python.c_str(), arguments.data());
  throw CaseError("gwrm " + given_words.front() +
                  " needs Python with numpy, h5py, xarray, h5netcdf and matplotlib, but '" + python +
                  "' cannot be started (" + std::strerror(errno) + "). " + cure);
}

}  // namespace gwrm::cli
