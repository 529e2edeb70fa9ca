#include "cli/program.hpp"
#include "problems/registry.hpp"

int main(int argc, char** argv) {
  return gwrm::run_program(argc, argv, gwrm::problem_modules());
}
