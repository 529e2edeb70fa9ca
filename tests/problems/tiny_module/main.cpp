// gwrm with one problem module more.
#include "cli/program.hpp"
#include "tiny_module/decay_module.hpp"

int main(int argc, char** argv) {
  return gwrm::run_program(argc, argv, gwrm::test::modules_with_decay());
}
