#include "cli/large_allocations.hpp"
#include "cli/process_settings.hpp"
#include "cli/program.hpp"
#include "core/last_resort.hpp"
#include "problems/registry.hpp"

int main(int argc, char** argv) {
  gwrm::apply_process_settings();
  gwrm::take_huge_pages();
  const int status = gwrm::run_program(argc, argv, gwrm::problem_modules());
  gwrm::settle_status(status);
  return status;
}
