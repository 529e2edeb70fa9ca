// gwrm_mpi.so: the functions of MPI that the program uses. This file alone includes mpi.h; CMake compiles it, with
// GWRM_MPI, to a library of its own, which knows nothing of the program.
#include <mpi.h>

#include "core/patience.hpp"
#include "core/rank_functions.hpp"

namespace {

MPI_Win window = MPI_WIN_NULL;
std::int64_t* counter = nullptr;

// MPI's own waiting takes the whole core.
void wait(MPI_Request* request) {
  int is_done = 0;
  for (const gwrm::Patience patience; MPI_Test(request, &is_done, MPI_STATUS_IGNORE), is_done == 0;) patience.pause();
}

// MPI_Fetch_and_op on the counter, which lies in rank 0.
std::int64_t exchange(std::int64_t value, MPI_Op operation) {
  std::int64_t before = 0;
  MPI_Fetch_and_op(&value, &before, MPI_INT64_T, 0, 0, operation, window);
  MPI_Win_flush(0, window);
  return before;
}

const char* open(gwrm::RankPlace* place) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED)
    return "this MPI library is not made for several threads: take another one, or start one process";
  MPI_Comm_rank(MPI_COMM_WORLD, &place->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place->size);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, place->rank, MPI_INFO_NULL, &machine);
  MPI_Comm_rank(machine, &place->local_rank);
  MPI_Comm_size(machine, &place->n_local);
  MPI_Comm_free(&machine);
  MPI_Win_allocate(place->rank == 0 ? sizeof(std::int64_t) : 0, sizeof(std::int64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &counter, &window);
  if (place->rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  return nullptr;
}

void close() {
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &all_are_here);
  wait(&all_are_here);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
}

void broadcast(void* bytes, int n) {
  MPI_Request told = MPI_REQUEST_NULL;
  MPI_Ibcast(bytes, n, MPI_BYTE, 0, MPI_COMM_WORLD, &told);
  wait(&told);
}

void gather(std::uint64_t own, std::uint64_t* all) {
  MPI_Request gathered = MPI_REQUEST_NULL;
  MPI_Iallgather(&own, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, MPI_COMM_WORLD, &gathered);
  wait(&gathered);
}

std::int64_t add(std::int64_t value) {
  return exchange(value, MPI_SUM);
}

std::int64_t set(std::int64_t value) {
  return exchange(value, MPI_REPLACE);
}

void send(const void* bytes, int n, int tag) {
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Isend(bytes, n, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &sent);
  wait(&sent);
}

bool look(int* source, int* tag, int* n) {
  int is_there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
  if (is_there == 0) return false;
  *source = status.MPI_SOURCE;
  *tag = status.MPI_TAG;
  MPI_Get_count(&status, MPI_BYTE, n);
  return true;
}

void wait_for(int source, int* tag, int* n) {
  MPI_Status status;
  MPI_Probe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  *tag = status.MPI_TAG;
  MPI_Get_count(&status, MPI_BYTE, n);
}

void receive(void* bytes, int n, int source, int tag) {
  MPI_Recv(bytes, n, MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

constexpr gwrm::RankFunctions kFunctions = {
    gwrm::RankFunctions::kVersion, open, close, broadcast, gather, add, set, send, look, wait_for, receive};

}  // namespace

__attribute__((visibility("default"))) const gwrm::RankFunctions* gwrm_rank_functions() {
  return &kFunctions;
}
