// SIGINT and SIGTERM as a flag, for the commands that ask for it: the running iteration is finished, what is complete
// is written, the program exits with 130. A command that does not ask is better ended by the signal itself.
#pragma once

namespace gwrm::cli {

void install_interrupt_handlers();  // a second signal ends the program at once
bool interrupt_requested();

void keep_file_size_limit_from_ending();  // the limit on file sizes is then an error of the write (SIGXFSZ ignored)

}  // namespace gwrm::cli
