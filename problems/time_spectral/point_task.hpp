// What is to be solved at a point of the collocated parameters, and what came of it, as plain data: so that it may be
// solved on another device of this process or in another process (point_places.hpp).
#pragma once

#include <exception>
#include <optional>
#include <vector>

#include "core/team.hpp"
#include "output/journal_bytes.hpp"
#include "problems/time_spectral/linear_method.hpp"
#include "solver/newton.hpp"
#include "weighted_residual/window/field_layout.hpp"

namespace gwrm {

struct PointTask {
  std::size_t point = 0;
  State state;            // at the start of the window, on its subdomains
  std::vector<double> x;  // where Newton starts; none in a window that all ranks solve together
};

// One window at some of the points.
struct WindowTask {
  LinearMethod method = LinearMethod::dense;
  double start = 0.0, end = 1.0;
  std::vector<AxisDescription> subdomains;  // per axis
  std::vector<PointTask> points;
};

struct PointAnswer {
  std::size_t point = 0;
  NewtonResult newton;
  std::vector<double> x;
  std::exception_ptr error;  // in place of both
};

// What all windows of a march, or of the estimate of its error, have in common beside the case.
struct SolverTask {
  std::vector<AxisDescription> subdomains;  // of the model; those of the collocated parameters count
  std::vector<std::vector<double>> points;  // of the parameters, one value per axis each
  NewtonOptions newton;
  bool lends_factors = false;       // SolverMemory
  bool products_on_points = false;  // whatever the case says (SystemPlan::series)
};

// Their parts: lists, and degree and edges of each axis.
void encode(journal::Encoder& out, const std::vector<double>& numbers);
std::vector<double> decoded_numbers(journal::Decoder& in);
void encode(journal::Encoder& out, const std::vector<AxisDescription>& subdomains);
std::vector<AxisDescription> decoded_subdomains(journal::Decoder& in, std::vector<AxisDescription> like);

// For another process, which knows the case: of descriptions of axes degree and edges alone. What comes back is the
// same to the bit; nothing where the bytes are of another program. An error comes back as an Error of its type, with
// the text of `from` before it ("rank 2: ").
Team::Bytes bytes_of(const WindowTask& task);
std::optional<WindowTask> window_task_of(const Team::Bytes& bytes, const std::vector<AxisDescription>& like);
Team::Bytes bytes_of(const SolverTask& task);
std::optional<SolverTask> solver_task_of(const Team::Bytes& bytes, const std::vector<AxisDescription>& like);
Team::Bytes bytes_of(const std::vector<PointAnswer>& answers, const std::string& from);
std::optional<std::vector<PointAnswer>> point_answers_of(const Team::Bytes& bytes);

}  // namespace gwrm
