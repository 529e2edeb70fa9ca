// What `new` takes in the program: as ever, but where it is large the system is asked for huge pages.
//
// A page of the system's is cleared when it is first touched: 4 KiB at a time that is 1 to 2 GB/s and costs the same
// again when the process ends, 2 MiB at a time 5 to 7 GB/s and a tenth (measured on a machine with an H200). Of a
// vector of all unknowns of a large window that is most of what it costs.
#pragma once

namespace gwrm {

// From here on, unless GWRM_PROCESS_SETTINGS=off. A system that gives no huge pages
// (/sys/kernel/mm/transparent_hugepage/enabled: never) goes on as before.
void take_huge_pages();

}  // namespace gwrm
