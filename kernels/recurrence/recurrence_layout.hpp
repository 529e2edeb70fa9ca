// How the block recurrences of the device share points among lanes, warps and blocks, and the tables of those with
// reaction, which the host makes (recurrence_tables.cpp) and the kernels read. Included by host and device code, and
// by code compiled at run time; double_double.hpp stands before it.
//
// A lane holds kItems consecutive points, a warp a tile of them at a time and consecutive tiles altogether (its run), a
// block kWarps runs. Only the last tile, run and block may be shorter, or empty.

#pragma once

namespace gwrm {
namespace recurrence {

constexpr int kLanes = 32;
constexpr int kWarps = 8;  // of a block
constexpr int kThreads = kLanes * kWarps;
constexpr int kResident = 4;            // blocks of a multiprocessor: no more than 64 registers a thread
constexpr int kReactionResident = 3;    // with reaction: no more than 80
constexpr int kItems = 16;              // consecutive points of a lane: their values stay in registers
constexpr int kTile = kLanes * kItems;  // points of a warp between two scans
constexpr int kRow = kItems + 1;        // padded: a column of 8-byte values meets every bank once
constexpr int kLevels = 5;              // of a scan over the lanes
constexpr int kFlush = 4;               // tiles summed in double before they go to double-double
constexpr unsigned kAll = 0xffffffffu;

// An affine call is  a c_m + b s_m  at the points i + 32 m: a, b belong to i, c_m and s_m to 32 m steps. Sums of c and
// s over the kFlush * kItems points of a lane, plain and weighted by kFlush * kItems - m.
struct CallSums {
  DoubleDouble plain[2], weighted[2];
};

// The state of a recurrence with reaction: (w, s) of shooting before a point, (P before, Q behind) of two_sided.
struct Pair {
  DoubleDouble first, second;
};

// What some points with right-hand side 0 make of it. shooting: the matrix [0 1; 2 3]. two_sided: entry 0 takes P
// forwards over them, entry 3 Q backwards.
struct Propagator {
  DoubleDouble entry[4];
};

// From point to point and from lane to lane. Weights are shares of a value in a sum over the points of one lane, for a
// lane that has its last valid point at any place: [kItems - 1 + m] belongs to the value m points before it, and those
// of m < 0 are 0.
struct ReactionTables {
  double last_first[2 * kItems - 1];    // in w, or in P, behind the lane's last point
  double last_second[2 * kItems - 1];   // shooting: in s
  double from_first[kItems];            // two_sided: in Q before the lane, of its points in their order
  DoubleDouble behind[2 * kItems - 1];  // two_sided: r_b^m, what Q behind the last point is m points before it
  Propagator fine[kItems];              // of 0, 1, .. points
  Propagator coarse[kLanes + 1];        // of 0, 1, .. lanes
};

// Numbers that go into the code as constants.
struct ReactionConstants {
  DoubleDouble scale;                    // F; of two_sided G
  double growth;                         // shooting: q / F
  double forward_decay, backward_decay;  // two_sided: 1 - r_f, 1 - r_b
  double correction;                     // c
  double scan[kLevels][4];               // the propagators of 1, 2, 4, .. lanes
  DoubleDouble forward[kItems];          // two_sided: r_f, r_f^2, ..
};

// One piece of consecutive points.
struct ReactionLayout {
  long long n_points, tiles_per_warp;
  int n_blocks;
  const ReactionTables* tables;
  const Propagator* blocks;                    // of 0, 1, .. n_blocks - 1 blocks
  const DoubleDouble* tiles;                   // two_sided: r_b^(points of 0, 1, .. tiles_per_warp - 1 tiles)
  Propagator tile, run;                        // of a whole one
  Propagator last_tile, last_run, last_block;  // of the last one, which may be shorter
};

}  // namespace recurrence
}  // namespace gwrm
