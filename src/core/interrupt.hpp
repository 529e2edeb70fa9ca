// SIGINT and SIGTERM as a flag: the running iteration is finished, what is complete is written, the program exits with
// 130.
#pragma once

namespace gwrm {

void install_interrupt_handlers();  // a second signal ends the program at once
bool interrupt_requested();

}  // namespace gwrm
