#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>

namespace gwrm::cli {
namespace {

volatile std::sig_atomic_t requested = 0;

extern "C" void on_signal(int signal_number) {
  if (requested != 0) {  // the user insists: the default action, with the usual status
    std::signal(signal_number, SIG_DFL);
    kill(getpid(), signal_number);  // not raise(): without_memory.cpp
  }
  requested = 1;
}

}  // namespace

void install_interrupt_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void keep_file_size_limit_from_ending() {
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupt_requested() {
  return requested != 0;
}

}  // namespace gwrm::cli
