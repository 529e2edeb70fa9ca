#include "problems/time_spectral/point_task.hpp"

#include <new>
#include <utility>

#include "core/errors.hpp"
#include "core/last_resort.hpp"
#include "output/journal_bytes.hpp"

namespace gwrm {

void encode(journal::Encoder& out, const std::vector<double>& numbers) {
  out.word(numbers.size());
  out.numbers(numbers);
}

std::vector<double> decoded_numbers(journal::Decoder& in) {
  return in.numbers(in.count(1));
}

void encode(journal::Encoder& out, const std::vector<AxisDescription>& subdomains) {
  out.word(subdomains.size());
  for (const AxisDescription& axis : subdomains) {
    out.integer(axis.degree);
    encode(out, axis.edges);
  }
}

std::vector<AxisDescription> decoded_subdomains(journal::Decoder& in, std::vector<AxisDescription> like) {
  const std::size_t n = in.count(2);
  like.resize(n);
  for (AxisDescription& axis : like) {
    axis.degree = in.integer();
    axis.edges = decoded_numbers(in);
  }
  return like;
}

namespace {

using journal::Decoder;
using journal::Encoder;

void encode_state(Encoder& out, const State& state) {
  out.word(state.size());
  for (const std::vector<Array>& field : state) {
    out.word(field.size());
    for (const Array& values : field) out.array(values);
  }
}

State state_of(Decoder& in) {
  State state(in.count(1));
  for (std::vector<Array>& field : state) {
    field.resize(in.count(1));
    for (Array& values : field) values = in.array();
  }
  return state;
}

void encode_newton(Encoder& out, const NewtonResult& newton) {
  out.integer(static_cast<int>(newton.status));
  out.word(newton.iterations.size());
  for (const NewtonIteration& step : newton.iterations) {
    out.numbers({step.residual_norm, step.correction_norm, step.damping});
    out.integer(step.linear_iterations);
  }
  out.integer(newton.n_factorisations);
  out.numbers({newton.reciprocal_condition, newton.remaining});
  out.text(newton.detail);
}

NewtonResult newton_of(Decoder& in) {
  NewtonResult newton;
  newton.status = static_cast<NewtonStatus>(in.integer());
  newton.iterations.resize(in.count(4));
  for (NewtonIteration& step : newton.iterations) {
    step.residual_norm = in.number();
    step.correction_norm = in.number();
    step.damping = in.number();
    step.linear_iterations = in.integer();
  }
  newton.n_factorisations = in.integer();
  newton.reciprocal_condition = in.number();
  newton.remaining = in.number();
  newton.detail = in.text();
  return newton;
}

// Callers tell a want of memory from other errors by its type.
enum class ErrorType { none, memory, other };

void encode_error(Encoder& out, const std::exception_ptr& error, const std::string& from) {
  ErrorType type = ErrorType::other;
  ExitStatus status = ExitStatus::internal_error;
  std::string what = "internal error";
  try {
    std::rethrow_exception(error);
  } catch (const MemoryError& own) {
    type = ErrorType::memory;
    what = own.what();
  } catch (const Error& own) {
    status = own.status();
    what = own.what();
  } catch (const std::exception& own) {
    if (is_want_of_memory(own)) type = ErrorType::memory;
    what = type == ErrorType::memory ? kOutOfMemory : std::string("internal error: ") + own.what();
  } catch (...) {
  }
  out.integer(static_cast<int>(type));
  out.integer(static_cast<int>(status));
  out.text(from + what);
}

std::exception_ptr error_of(Decoder& in, ErrorType type) {
  const auto status = static_cast<ExitStatus>(in.integer());
  const std::string what = in.text();
  return type == ErrorType::memory ? std::make_exception_ptr(MemoryError(what))
                                   : std::make_exception_ptr(Error(status, what));
}

}  // namespace

Team::Bytes bytes_of(const WindowTask& task) {
  Encoder out;
  out.integer(static_cast<int>(task.method));
  out.numbers({task.start, task.end});
  encode(out, task.subdomains);
  out.word(task.points.size());
  for (const PointTask& point : task.points) {
    out.word(point.point);
    encode_state(out, point.state);
    encode(out, point.x);
  }
  return out.bytes();
}

std::optional<WindowTask> window_task_of(const Team::Bytes& bytes, const std::vector<AxisDescription>& like) {
  Decoder in(bytes);
  WindowTask task;
  task.method = static_cast<LinearMethod>(in.integer());
  task.start = in.number();
  task.end = in.number();
  task.subdomains = decoded_subdomains(in, like);
  task.points.resize(in.count(3));
  for (PointTask& point : task.points) {
    point.point = in.word();
    point.state = state_of(in);
    point.x = decoded_numbers(in);
  }
  return in.complete() ? std::optional(std::move(task)) : std::nullopt;
}

Team::Bytes bytes_of(const SolverTask& task) {
  Encoder out;
  encode(out, task.subdomains);
  out.word(task.points.size());
  for (const std::vector<double>& point : task.points) encode(out, point);
  // truncation is the window's, where it is solved.
  const auto& [tolerance, max_iterations, globalisation, linear_tolerance, trusts_known_factors, loosest_tolerance,
               smallest_damping, truncation] = task.newton;
  out.number(tolerance);
  out.integer(max_iterations);
  out.integer(static_cast<int>(globalisation));
  out.number(linear_tolerance);
  out.integer(trusts_known_factors ? 1 : 0);
  out.number(loosest_tolerance);
  out.number(smallest_damping);
  out.integer(task.lends_factors ? 1 : 0);
  out.integer(task.products_on_points ? 1 : 0);
  return out.bytes();
}

std::optional<SolverTask> solver_task_of(const Team::Bytes& bytes, const std::vector<AxisDescription>& like) {
  Decoder in(bytes);
  SolverTask task;
  task.subdomains = decoded_subdomains(in, like);
  task.points.resize(in.count(1));
  for (std::vector<double>& point : task.points) point = decoded_numbers(in);
  task.newton.tolerance = in.number();
  task.newton.max_iterations = in.integer();
  task.newton.globalisation = static_cast<Globalisation>(in.integer());
  task.newton.linear_tolerance = in.number();
  task.newton.trusts_known_factors = in.integer() != 0;
  task.newton.loosest_tolerance = in.number();
  task.newton.smallest_damping = in.number();
  task.lends_factors = in.integer() != 0;
  task.products_on_points = in.integer() != 0;
  return in.complete() ? std::optional(std::move(task)) : std::nullopt;
}

Team::Bytes bytes_of(const std::vector<PointAnswer>& answers, const std::string& from) {
  Encoder out;
  out.word(answers.size());
  for (const PointAnswer& answer : answers) {
    out.word(answer.point);
    if (answer.error) {
      encode_error(out, answer.error, from);
      continue;
    }
    out.integer(static_cast<int>(ErrorType::none));
    encode_newton(out, answer.newton);
    encode(out, answer.x);
  }
  return out.bytes();
}

std::optional<std::vector<PointAnswer>> point_answers_of(const Team::Bytes& bytes) {
  Decoder in(bytes);
  std::vector<PointAnswer> answers(in.count(3));
  for (PointAnswer& answer : answers) {
    answer.point = in.word();
    if (const auto type = static_cast<ErrorType>(in.integer()); type != ErrorType::none) {
      answer.error = error_of(in, type);
      continue;
    }
    answer.newton = newton_of(in);
    answer.x = decoded_numbers(in);
  }
  return in.complete() ? std::optional(std::move(answers)) : std::nullopt;
}

}  // namespace gwrm
