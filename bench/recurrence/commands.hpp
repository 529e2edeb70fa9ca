// The commands of recurrence_bench: arguments as those of main() from the command's name on, exit status.
#pragma once

namespace gwrm::bench {

int recurrence_on_cpu(int argc, char** argv);
int recurrence_on_device(int argc, char** argv);  // of a program that is built with CUDA

}  // namespace gwrm::bench
