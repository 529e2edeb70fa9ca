#include "problems/time_spectral/shared_answer.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "core/errors.hpp"
#include "core/log.hpp"
#include "output/journal_bytes.hpp"
#include "problems/time_spectral/data_edges.hpp"
#include "problems/time_spectral/parameter_points.hpp"
#include "problems/time_spectral/point_commands.hpp"
#include "problems/time_spectral/point_task.hpp"
#include "problems/time_spectral/shared_windows.hpp"
#include "problems/time_spectral/side_corners.hpp"

namespace gwrm {
namespace {

Model model_of(const Case& the_case) {
  return graded_toward_corners(the_case, with_edges_at_features(the_case, build_model(the_case)));
}

// All of a part but its numbers, and what is to be done with it.
Team::Bytes head_of(const Solution& part, bool is_last, bool verified) {
  journal::Encoder out;
  out.integer(is_last ? 1 : 0);
  out.integer(verified ? 1 : 0);
  encode(out, part.window_edges);
  out.word(part.subdomains.size());
  for (const std::vector<AxisDescription>& window : part.subdomains) encode(out, window);
  for (const FieldSolution& field : part.fields) out.word(field.windows.size());
  return out.take();
}

struct Head {
  bool is_last = false, verified = false;
};

// Fills the part but for its numbers; nothing where the bytes are of another program.
std::optional<Head> read_head(const Team::Bytes& bytes, const Model& model, Solution& part) {
  journal::Decoder in(bytes);
  const Head head{in.integer() != 0, in.integer() != 0};
  part = empty_solution(model);
  part.window_edges = decoded_numbers(in);
  part.subdomains.resize(in.count(1));
  for (std::vector<AxisDescription>& window : part.subdomains) window = decoded_subdomains(in, model.subdomains);
  for (FieldSolution& field : part.fields)
    field.windows.resize(std::min<std::size_t>(in.word(), part.subdomains.size()));
  return in.complete() ? std::optional(head) : std::nullopt;
}

void make_room(Solution& part) {
  for (FieldSolution& field : part.fields)
    for (std::size_t w = 0; w < field.windows.size(); ++w) {
      Shape shape;
      for (const int axis : field.axes) shape.push_back(part.subdomains[w].at(at(axis)).n_coefficients());
      field.windows[w] = Array(std::move(shape));
    }
}

// The numbers of rank 0 for all.
void broadcast(Communicator& ranks, const Array& a) {
  auto* const bytes = reinterpret_cast<std::byte*>(const_cast<double*>(a.data.data()));  // rank 0's are only read
  ranks.broadcast(bytes, a.data.size() * sizeof(double), 0);
}

}  // namespace

SharedAnswer::SharedAnswer(const Case& the_case, Team& team,
                           const std::function<std::shared_ptr<Communicator>()>& ranks)
    : model_(model_of(the_case)), team_(team) {
  tell(kBeginAnswer, {});
  ranks_ = ranks();
}

void SharedAnswer::tell(int what, const Team::Bytes& bytes) {
  Team::Bytes command = command_bytes(what, 0, bytes);
  team_.broadcast(command);
}

Communicator& SharedAnswer::give(const Solution& part, bool is_last, bool verified) {
  const LogTime time("giving the answer to the other ranks");
  tell(kTakeAnswer, head_of(part, is_last, verified));
  if (ranks_->agree(0) != 0) {
    logger().warn("a rank has no memory for the answer beside its windows: rank 0 samples and verifies it alone");
    return *alone_;
  }
  for (const FieldSolution& field : part.fields)
    for (const Array& window : field.windows) broadcast(*ranks_, window);
  return *ranks_;
}

void AnswerHelper::take(Communicator& ranks, const Team::Bytes& bytes) {
  Solution part;
  std::optional<Head> head;
  try {
    if (model_) head = read_head(bytes, *model_, part);
    if (head) make_room(part);
  } catch (const std::bad_alloc&) {
    head.reset();
  }
  if (ranks.agree(head && sampler_ ? 0 : 1) != 0) return;
  for (const FieldSolution& field : part.fields)
    for (const Array& window : field.windows) broadcast(ranks, window);
  sampler_->add(part, head->is_last, &ranks);
  if (head->verified) verification_->add(part, head->is_last, &ranks);
}

bool AnswerHelper::serve(int what, const Team::Bytes& bytes, const std::function<Communicator&()>& ranks) {
  if (what != kBeginAnswer && what != kTakeAnswer) return false;
  try {
    if (what == kBeginAnswer) {
      ranks();
      sampler_.reset();
      verification_.reset();
      model_.emplace(model_of(case_));
      sampler_.emplace(case_, *model_);
      verification_.emplace(case_, *model_);
    }
    if (what == kTakeAnswer) take(ranks(), bytes);
  } catch (const std::bad_alloc&) {
    end_all_ranks(ranks().rank(), "no memory to verify its share of the answer", ExitStatus::resources);
  } catch (const Error& error) {  // of all ranks, or told to them: rank 0 says it
    logger().debug("rank {}: {}", ranks().rank(), error.what());
  }
  return true;
}

}  // namespace gwrm
