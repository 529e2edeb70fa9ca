#include "fuzz/read_result.hpp"

#include <stdlib.h>

#include <filesystem>

#include "case/sample_cases.hpp"
#include "expression/lowering.hpp"
#include "fuzz/read_case.hpp"
#include "fuzz/require.hpp"
#include "hard_input/edit_result.hpp"
#include "output/compare_runs.hpp"
#include "output/export.hpp"
#include "output/hdf5_handles.hpp"
#include "output/sample_file.hpp"
#include "output/sample_sweep.hpp"

namespace gwrm::fuzz {
namespace {

// Every field, and its slope along its last axis, on three points per axis.
void evaluate_fields(const Solution& solution, const expression::Symbols& symbols) {
  expression::Pool pool(symbols);
  GridPoints points;
  for (const Axis& axis : solution.axes) points.push_back({axis.lower, 0.5 * (axis.lower + axis.upper), axis.upper});
  if (const int time = solution.windowed_axis(); time >= 0)
    points[time] = {solution.window_edges.front(), solution.window_edges.back()};
  for (const FieldSolution& field : solution.fields) {
    const expression::Expr u = pool.field(field.name);
    evaluate(pool, solution, u, points);
    if (field.axes.empty()) continue;
    const std::string& last = solution.axes[field.axes.back()].name;
    evaluate(pool, solution, lower(pool, pool.derivative(u, last, 1)), points, false);
  }
}

void evaluate_stored(const StoredRun& run) {
  const Case the_case = read_case_text(run.report.case_text, "case");
  if (the_case.continuation.active()) return;
  check_symbols(the_case.symbols(), run.solution);
  evaluate_fields(run.solution, the_case.symbols());
}

void read_and_evaluate(const std::string& path) {
  expect_refusal<OutputError>([&] {
    const StoredRun run = read_hdf5(path);
    run.solution.check();
    expect_refusal<CaseError>([&] { evaluate_stored(run); });
  });
}

void use_result(const std::string& path, const std::string& other, std::size_t command) {
  const std::string stem = std::filesystem::path(path).parent_path() / "exported";
  const auto export_by = [&](ExportResult (*write)(const ExportRequest&)) {
    expect_refusal<OutputError>([&] { expect_refusal<CaseError>([&] { write({path, stem, {}, true}); }); });
  };
  switch (command) {
    case 0:
      return read_and_evaluate(path);
    case 1:
      return expect_refusal<OutputError>([&] { compare_runs(path, other).agree(1e-12); });
    case 2:
      return export_by(export_csv);
    case 3:
      return export_by(export_vtk);
    default:
      return export_by(export_xdmf);
  }
}

}  // namespace

SampleResults::SampleResults() {
  std::string pattern = (std::filesystem::temp_directory_path() / "gwrm_fuzz_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  folder_ = pattern;
  // The case of one of them is its own, so that its text leads on to eval.
  const std::string plane_case =
      "domain: {t: [-1, 1], y: [0, 2], x: [0, 3]}\nunknowns: [psi, omega]\n"
      "equations: [\"dt(psi) = omega\", \"omega = lap(psi)\"]\nresolution: {degree: {t: 2, y: 5, x: 3}}\n";
  for (Solution (*make)() : {test::plane_solution, test::windowed_solution, test::steady_divided_solution,
                             test::ode_solution, test::tensor_solution, test::changing_degrees_solution}) {
    test::SampleFile sample(make());
    sample.report.case_text = make == test::plane_solution ? plane_case : testing::kFullCase;
    const std::string name = path("sample.h5");
    write_hdf5(name, sample.data, true);
    bytes_.push_back(hard_input::bytes_of(name));
  }
  test::write_sample_sweep(path("sweep.h5"), path("sweep.journal"), plane_case);
  bytes_.push_back(hard_input::bytes_of(path("sweep.h5")));
}

SampleResults::~SampleResults() {
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

const SampleResults& sample_results() {
  static const SampleResults samples;
  return samples;
}

void read_result(const std::string& path, const std::string& other, std::size_t command) {
  use_result(path, other, command);
  require(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "something of the file is left open");
}

}  // namespace gwrm::fuzz
