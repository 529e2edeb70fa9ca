#include "output/probe.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "core/errors.hpp"
#include "core/last_resort.hpp"

namespace gwrm {
namespace {

[[noreturn]] void run_child(const std::function<void()>& work, unsigned seconds, pid_t parent) {
  // Who is ended while it waits leaves no child behind.
  for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  last_resort_in_json(false);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (int number : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGXCPU}) signal(number, SIG_DFL);
  const rlimit processor = {seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &processor);
  alarm(10 * seconds);
  try {
    work();
  } catch (...) {  // told by the parent, which meets it again
  }
  _exit(0);
}

}  // namespace

bool survives(const std::function<void()>& work, unsigned seconds) {
  const pid_t parent = getpid(), child = fork();
  if (child < 0) return true;
  if (child == 0) run_child(work, seconds, parent);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(ExitStatus::resources))
    throw MemoryError(kOutOfMemory);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace gwrm
