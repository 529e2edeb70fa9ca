// What HDF5 does when the process ends.
#pragma once

namespace gwrm {

// For a program, before anything else of HDF5: the library then does nothing on its way out. All files are closed by
// then; where a disk has failed under one of them, closing it once more ends the process by a signal (HDF5 1.10.8,
// tests/cases/failing_io.py).
void keep_hdf5_from_ending_the_process();

}  // namespace gwrm
