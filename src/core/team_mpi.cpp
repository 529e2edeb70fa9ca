// gwrm_mpi.so: the functions of MPI that the program uses. This file alone includes mpi.h; CMake compiles it, with
// GWRM_MPI, to a library of its own, which knows nothing of the program.
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "core/patience.hpp"
#include "core/rank_functions.hpp"

namespace {

MPI_Win window = MPI_WIN_NULL;
std::int64_t* counter = nullptr;
std::vector<MPI_Comm> groups;  // MPI_COMM_NULL: freed, its number free
std::vector<MPI_Request> posts;

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

// The messages of tasks, which rank 0 takes from anybody, are those of MPI_COMM_WORLD itself.
MPI_Comm group_of(int group) {
  return group < 0 ? MPI_COMM_WORLD : groups[static_cast<std::size_t>(group)];
}

int split(int group, int colour) {
  int rank = 0;
  MPI_Comm_rank(group_of(group), &rank);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_split(group_of(group), colour, rank, &made);
  const auto place = std::find(groups.begin(), groups.end(), MPI_COMM_NULL);
  const auto number = static_cast<int>(place - groups.begin());
  if (place == groups.end())
    groups.push_back(made);
  else
    *place = made;
  return number;
}

void free_group(int group) {
  MPI_Comm_free(&groups[static_cast<std::size_t>(group)]);
}

void place_in_group(int group, int* rank, int* size) {
  MPI_Comm_rank(group_of(group), rank);
  MPI_Comm_size(group_of(group), size);
}

void broadcast_in_group(int group, void* bytes, int n, int root) {
  MPI_Request told = MPI_REQUEST_NULL;
  MPI_Ibcast(bytes, n, MPI_BYTE, root, group_of(group), &told);
  wait(&told);
}

void all_gather(int group, const void* own, const int* counts, void* all) {
  int rank = 0, size = 1;
  place_in_group(group, &rank, &size);
  std::vector<int> begins(static_cast<std::size_t>(size), 0);
  for (std::size_t r = 1; r < begins.size(); ++r) begins[r] = begins[r - 1] + counts[r - 1];
  MPI_Request gathered = MPI_REQUEST_NULL;
  MPI_Iallgatherv(own, counts[rank], MPI_BYTE, all, counts, begins.data(), MPI_BYTE, group_of(group), &gathered);
  wait(&gathered);
}

void post_send(int group, const void* bytes, int n, int to) {
  MPI_Isend(bytes, n, MPI_BYTE, to, 0, group_of(group), &posts.emplace_back(MPI_REQUEST_NULL));
}

void post_receive(int group, void* bytes, int n, int from) {
  MPI_Irecv(bytes, n, MPI_BYTE, from, 0, group_of(group), &posts.emplace_back(MPI_REQUEST_NULL));
}

void wait_for_posts() {
  int is_done = 0;
  const auto all_done = [&] {
    MPI_Testall(static_cast<int>(posts.size()), posts.data(), &is_done, MPI_STATUSES_IGNORE);
    return is_done != 0;
  };
  for (const gwrm::Patience patience; !all_done();) patience.pause();
  posts.clear();
}

constexpr gwrm::RankFunctions kFunctions = {gwrm::RankFunctions::kVersion,
                                            open,
                                            close,
                                            broadcast,
                                            gather,
                                            add,
                                            set,
                                            send,
                                            look,
                                            wait_for,
                                            receive,
                                            split,
                                            free_group,
                                            place_in_group,
                                            broadcast_in_group,
                                            all_gather,
                                            post_send,
                                            post_receive,
                                            wait_for_posts};

}  // namespace

__attribute__((visibility("default"))) const gwrm::RankFunctions* gwrm_rank_functions() {
  return &kFunctions;
}
