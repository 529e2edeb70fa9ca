// What the program asks of MPI, in plain types: the table of functions that gwrm_mpi.so (team_mpi.cpp, option GWRM_MPI)
// gives to a program that opens it (team.cpp). The program itself neither links MPI nor knows its header: it is the
// same program with and without, and loads nothing where no launcher has started it.
//
// A function that fails ends the process with MPI's own message (its default handler of errors), but for want of
// memory. They may be called in several threads; one that waits for other ranks lets the others in between its looks.
#pragma once

#include <cstdint>

namespace gwrm {

struct RankPlace {
  int rank = 0, size = 1;
  int local_rank = 0, n_local = 1;  // among the ranks of this machine
};

struct RankFunctions {
  static constexpr int kVersion = 4;
  static constexpr double kLaterPerRank = 2.0;  // seconds, in which a launcher has ended the others
  int version = 0;

  // Before open: what ends the process where a function finds no memory left, which MPI does not bear: it crashes,
  // tries again for ever, or ends with a status of its own.
  void (*without_memory)(void (*end)()) = nullptr;
  // Once, by all ranks. What is wrong, or null.
  const char* (*open)(RankPlace* place) = nullptr;
  void (*close)() = nullptr;  // waits for all ranks

  // Groups of ranks, by numbers that hold in their own process; -1: all ranks. Each is called by all ranks of the
  // group. split, which is limited (below): the number of the group of those that name the same colour.
  int (*split)(int group, int colour) = nullptr;
  void (*free_group)(int group) = nullptr;
  void (*place_in_group)(int group, int* rank, int* size) = nullptr;

  // By all ranks of the group: n bytes of its rank 0, which is limited (below), for all; a number of each for all.
  void (*broadcast)(int group, void* bytes, int n) = nullptr;
  void (*gather)(int group, std::uint64_t own, std::uint64_t* all) = nullptr;
  // The counter that all ranks share, begun with 0: adds the value or sets it, and returns what the counter was.
  std::int64_t (*add)(std::int64_t value) = nullptr;
  std::int64_t (*set)(std::int64_t value) = nullptr;

  void (*send)(int group, const void* bytes, int n, int tag) = nullptr;  // to rank 0 of the group
  // Its rank 0: whether a message is there, of any rank; or waits for the next one of `source`. Then receives it.
  bool (*look)(int group, int* source, int* tag, int* n) = nullptr;
  void (*wait_for)(int group, int source, int* tag, int* n) = nullptr;
  void (*receive)(int group, void* bytes, int n, int source, int tag) = nullptr;

  // What follows is for work that the ranks of a group do together, where each waits for the others a little while:
  // rank r at most seconds + kLaterPerRank r, or for ever where these are 0. Then too_long(seconds, rank) says so -
  // which rank was waited for, among all, -1 where that is not known - and all processes end with the status that it
  // returns.
  void (*limit)(double seconds, int (*too_long)(double seconds, int rank)) = nullptr;
  void (*broadcast_from)(int group, void* bytes, int n, int root) = nullptr;
  void (*all_gather)(int group, const void* own, const int* counts, void* all) = nullptr;
  // Begin, and end all that have begun; messages of a pair of ranks stay in order.
  void (*post_send)(int group, const void* bytes, int n, int to) = nullptr;
  void (*post_receive)(int group, void* bytes, int n, int from) = nullptr;
  void (*wait_for_posts)() = nullptr;
};

}  // namespace gwrm

// The one symbol of gwrm_mpi.so.
extern "C" const gwrm::RankFunctions* gwrm_rank_functions();
