// gwrm_mpi.so: the functions of MPI that the program uses. This file alone includes mpi.h; CMake compiles it, with
// GWRM_MPI, to a library of its own, which knows nothing of the program.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "core/patience.hpp"
#include "core/rank_functions.hpp"

namespace {

struct Post {
  MPI_Comm group;
  int other;
};

std::mutex calls;  // MPI is asked by one thread at a time
MPI_Win window = MPI_WIN_NULL;
std::int64_t* counter = nullptr;
std::vector<MPI_Comm> groups;  // MPI_COMM_NULL: freed, its number free
std::vector<MPI_Request> requests;
std::vector<Post> posts;  // what the requests are
double longest_answer_wait = 0.0;
int (*too_long)(double, int) = nullptr;

void (*end_without_memory)() = nullptr;

// MPI takes what it needs for a message when it is sent, and more with the first one to a rank.
void require_memory() {
  constexpr std::size_t kMessage = std::size_t{1} << 14;
  void* volatile probe = std::malloc(kMessage);  // volatile: a compiler may leave out what is freed unused
  if (probe == nullptr) end_without_memory();
  std::free(probe);
}

// One thread asks MPI, with memory for it.
class Asking {
 public:
  Asking() : lock_(calls) { require_memory(); }

 private:
  const std::scoped_lock<std::mutex> lock_;
};

template <class Call>
auto locked(const Call& call) {
  const Asking asking;
  return call();
}

// What is waited for others: not the time in which this process itself was stopped, or had no core.
class Wait {
 public:
  void pause() {
    const Seconds now = patience_.pause();
    waited_ += std::min(now - before_, kLongestStep);
    before_ = now;
  }
  // Ranks notice one after another, so that one of them tells it.
  bool is_too_long() const {
    if (longest_answer_wait == 0.0) return false;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return waited_.count() > longest_answer_wait + gwrm::RankFunctions::kLaterPerRank * rank;
  }

 private:
  using Seconds = std::chrono::duration<double>;
  static constexpr Seconds kLongestStep{0.2};
  const gwrm::Patience patience_;
  Seconds before_{0.0}, waited_{0.0};
};

// Open MPI's launcher now and then takes longer to answer MPI_Abort than to kill the others, whose status it gives
// then.
[[noreturn]] void give_up(int other) {
  const int status = too_long(longest_answer_wait, other);
  std::thread([status] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::_Exit(status);
  }).detach();
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

// MPI's own waiting takes the whole core.
void wait(MPI_Request* request, bool for_ever) {
  int is_done = 0;
  for (Wait others;; others.pause()) {
    locked([&] { return MPI_Test(request, &is_done, MPI_STATUS_IGNORE); });
    if (is_done != 0) return;
    if (!for_ever && others.is_too_long()) give_up(-1);
  }
}

// MPI_Fetch_and_op on the counter, which lies in rank 0.
std::int64_t exchange(std::int64_t value, MPI_Op operation) {
  const Asking asking;
  std::int64_t before = 0;
  MPI_Fetch_and_op(&value, &before, MPI_INT64_T, 0, 0, operation, window);
  MPI_Win_flush(0, window);
  return before;
}

void without_memory(void (*end)()) {
  end_without_memory = end;
}

// An error may be want of memory, which MPI has no class for. Any other one is MPI's own.
void on_error(MPI_Comm* group, int* error, ...) {
  require_memory();
  MPI_Comm_set_errhandler(*group, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_call_errhandler(*group, *error);
}

void on_window_error(MPI_Win* one, int* error, ...) {
  require_memory();
  MPI_Win_set_errhandler(*one, MPI_ERRORS_ARE_FATAL);
  MPI_Win_call_errhandler(*one, *error);
}

// Of all ranks, and of the groups that are made of them.
void handle_errors() {
  MPI_Errhandler of_ranks = MPI_ERRHANDLER_NULL, of_counter = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(on_error, &of_ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, of_ranks);
  MPI_Errhandler_free(&of_ranks);
  MPI_Win_create_errhandler(on_window_error, &of_counter);
  MPI_Win_set_errhandler(window, of_counter);
  MPI_Errhandler_free(&of_counter);
}

const char* open(gwrm::RankPlace* place) {
  require_memory();
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
  handle_errors();
  if (place->rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  return nullptr;
}

void close() {
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  locked([&] { return MPI_Ibarrier(MPI_COMM_WORLD, &all_are_here); });
  wait(&all_are_here, true);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
}

// The messages of tasks, which rank 0 takes from anybody, are those of MPI_COMM_WORLD itself.
MPI_Comm group_of(int group) {
  return group < 0 ? MPI_COMM_WORLD : groups[static_cast<std::size_t>(group)];
}

void place_in_group(int group, int* rank, int* size) {
  MPI_Comm_rank(group_of(group), rank);
  MPI_Comm_size(group_of(group), size);
}

// There is no splitting that could be looked after: all are there first.
int split(int group, int colour) {
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  locked([&] { return MPI_Ibarrier(group_of(group), &all_are_here); });
  wait(&all_are_here, false);
  const Asking asking;
  int rank = 0, size = 1;
  place_in_group(group, &rank, &size);
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
  const Asking asking;
  MPI_Comm_free(&groups[static_cast<std::size_t>(group)]);
}

void broadcast_from(int group, void* bytes, int n, int root, bool for_ever) {
  MPI_Request told = MPI_REQUEST_NULL;
  locked([&] { return MPI_Ibcast(bytes, n, MPI_BYTE, root, group_of(group), &told); });
  wait(&told, for_ever);
}

void broadcast_from(int group, void* bytes, int n, int root) {
  broadcast_from(group, bytes, n, root, false);
}

// Whoever waits to be told waits for ever; who tells finds the others waiting.
void broadcast(int group, void* bytes, int n) {
  int rank = 0, size = 1;
  place_in_group(group, &rank, &size);
  broadcast_from(group, bytes, n, 0, rank != 0);
}

void gather(int group, std::uint64_t own, std::uint64_t* all) {
  MPI_Request gathered = MPI_REQUEST_NULL;
  locked([&] { return MPI_Iallgather(&own, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, group_of(group), &gathered); });
  wait(&gathered, true);
}

std::int64_t add(std::int64_t value) {
  return exchange(value, MPI_SUM);
}

std::int64_t set(std::int64_t value) {
  return exchange(value, MPI_REPLACE);
}

void send(int group, const void* bytes, int n, int tag) {
  MPI_Request sent = MPI_REQUEST_NULL;
  locked([&] { return MPI_Isend(bytes, n, MPI_BYTE, 0, tag, group_of(group), &sent); });
  wait(&sent, true);
}

bool look_for(int group, int from, int* source, int* tag, int* n) {
  const Asking asking;
  int is_there = 0;
  MPI_Status status;
  MPI_Iprobe(from, MPI_ANY_TAG, group_of(group), &is_there, &status);
  if (is_there == 0) return false;
  *source = status.MPI_SOURCE;
  *tag = status.MPI_TAG;
  MPI_Get_count(&status, MPI_BYTE, n);
  return true;
}

bool look(int group, int* source, int* tag, int* n) {
  return look_for(group, MPI_ANY_SOURCE, source, tag, n);
}

void wait_for(int group, int source, int* tag, int* n) {
  for (const gwrm::Patience patience; !look_for(group, source, &source, tag, n);) patience.pause();
}

void receive(int group, void* bytes, int n, int source, int tag) {
  MPI_Request received = MPI_REQUEST_NULL;
  locked([&] { return MPI_Irecv(bytes, n, MPI_BYTE, source, tag, group_of(group), &received); });
  wait(&received, true);
}

void limit(double seconds, int (*told)(double, int)) {
  longest_answer_wait = seconds;
  too_long = told;
}

void all_gather(int group, const void* own, const int* counts, void* all) {
  int rank = 0, size = 1;
  place_in_group(group, &rank, &size);
  std::vector<int> begins(static_cast<std::size_t>(size), 0);
  for (std::size_t r = 1; r < begins.size(); ++r) begins[r] = begins[r - 1] + counts[r - 1];
  MPI_Request gathered = MPI_REQUEST_NULL;
  locked([&] {
    return MPI_Iallgatherv(own, counts[rank], MPI_BYTE, all, counts, begins.data(), MPI_BYTE, group_of(group),
                           &gathered);
  });
  wait(&gathered, false);
}

void post_send(int group, const void* bytes, int n, int to) {
  const Asking asking;
  posts.push_back({group_of(group), to});
  MPI_Isend(bytes, n, MPI_BYTE, to, 0, group_of(group), &requests.emplace_back(MPI_REQUEST_NULL));
}

void post_receive(int group, void* bytes, int n, int from) {
  const Asking asking;
  posts.push_back({group_of(group), from});
  MPI_Irecv(bytes, n, MPI_BYTE, from, 0, group_of(group), &requests.emplace_back(MPI_REQUEST_NULL));
}

// Of the first message that has not come, among all ranks.
int missing_rank() {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    int is_done = 0;
    MPI_Test(&requests[i], &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0) continue;
    MPI_Group own = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
    MPI_Comm_group(posts[i].group, &own);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int rank = -1;
    MPI_Group_translate_ranks(own, 1, &posts[i].other, all, &rank);
    return rank;
  }
  return -1;
}

void wait_for_posts() {
  int is_done = 0;
  for (Wait others;; others.pause()) {
    locked(
        [&] { return MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE); });
    if (is_done != 0) break;
    if (others.is_too_long()) give_up(locked(missing_rank));
  }
  requests.clear();
  posts.clear();
}

constexpr gwrm::RankFunctions kFunctions = {gwrm::RankFunctions::kVersion,
                                            without_memory,
                                            open,
                                            close,
                                            split,
                                            free_group,
                                            place_in_group,
                                            broadcast,
                                            gather,
                                            add,
                                            set,
                                            send,
                                            look,
                                            wait_for,
                                            receive,
                                            limit,
                                            broadcast_from,
                                            all_gather,
                                            post_send,
                                            post_receive,
                                            wait_for_posts};

}  // namespace

__attribute__((visibility("default"))) const gwrm::RankFunctions* gwrm_rank_functions() {
  return &kFunctions;
}
