#include "cli/process_settings.hpp"
#include "cli/program.hpp"
#include "problems/registry.hpp"

int main(int argc, char** argv) {
  gwrm::require_blas_memory();
  gwrm::apply_process_settings();
  return gwrm::run_program(argc, argv, gwrm::problem_modules());
}
