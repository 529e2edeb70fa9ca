// gwrm._core: the classes of gwrm.hpp as Python sees them. What users call is in python/gwrm.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <unistd.h>
#include <cstdio>

#include "cli/best_blas_kernels.hpp"
#include "watched.hpp"

namespace gwrm::python {
namespace {

using namespace nb::literals;
using Texts = std::vector<std::pair<std::string, std::string>>;
using Numbers = nb::ndarray<nb::numpy, const double>;

std::vector<api::Override> to_overrides(const Texts& changes) {
  std::vector<api::Override> overrides;
  for (const auto& [key, value] : changes) overrides.push_back({key, value});
  return overrides;
}

// Numbers of a result as an array without a copy, which keeps the result alive.
template <class Owner>
nb::object array_of(std::span<const double> values, const std::vector<std::size_t>& shape, Owner owner) {
  nb::capsule alive(new Owner(std::move(owner)), [](void* pointer) noexcept { delete static_cast<Owner*>(pointer); });
  return Numbers(values.data(), shape.size(), shape.data(), alive).cast();
}

nb::object array_of_axis(const api::Result& result, std::size_t axis) {
  const std::span<const double> points = result.axes().at(axis).sampled;
  return array_of(points, {points.size()}, result);
}

// (name, expression, dims, values)
nb::list fields_of(const api::Result& result) {
  nb::list fields;
  for (const api::Field& field : result.fields())
    fields.append(
        nb::make_tuple(field.name, field.expression, field.dims, array_of(field.values, field.shape, result)));
  return fields;
}

// unknown -> (dims, values)
nb::dict coefficients_of(const api::Result& result, std::size_t window) {
  nb::dict all;
  for (const api::Coefficients& of : result.coefficients(window))
    all[of.unknown.c_str()] = nb::make_tuple(of.dims, array_of(of.values, of.shape, result));
  return all;
}

// (dims, values)
nb::tuple evaluate(const api::Result& result, const std::string& expression,
                   const std::map<std::string, std::vector<double>>& points) {
  auto values = std::make_shared<api::Values>(
      watched([=](const api::RunOptions&) { return result.evaluate(expression, points); }));
  return nb::make_tuple(values->dims, array_of(values->values, values->shape, values));
}

// [(name, expression)]
nb::list parts_of(const api::Result& result, const std::string& expression) {
  nb::list parts;
  for (const api::Part& part : watched([=](const api::RunOptions&) { return result.parts(expression); }))
    parts.append(nb::make_tuple(part.name, part.expression));
  return parts;
}

// Work without a value.
template <class Work>
void watch_only(Work work) {
  watched([work = std::move(work)](const api::RunOptions&) {
    work();
    return true;
  });
}

// The library's errors as those of gwrm/errors.py, which knows which status is which.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const api::Error& error) {
    const nb::object made = nb::module_::import_("gwrm.errors")
                                .attr("of_status")(error.exit_status(), error.what(), error.file(), error.line(),
                                                   error.column(), error.message());
    PyErr_SetObject(made.type().ptr(), made.ptr());
  }
}

// Before the interpreter goes: threads that were left compute on, and must not find the library taken down.
void end_process_if_threads_are_left() {
  constexpr double kPatience = 2.0;  // seconds
  const bool all_ended = [] {
    const nb::gil_scoped_release release;
    return wait_for_threads_left(kPatience);
  }();
  if (all_ended) return;
  std::fflush(nullptr);
  _exit(130);
}

void bind_plain_data(nb::module_& module) {
  nb::class_<api::Equation>(module, "Equation")
      .def_ro("name", &api::Equation::name)
      .def_ro("text", &api::Equation::text)
      .def_ro("latex", &api::Equation::latex);
  nb::class_<api::Summary>(module, "Summary")
      .def_ro("lines", &api::Summary::lines)
      .def_ro("system", &api::Summary::system)
      .def_ro("conditions", &api::Summary::conditions)
      .def_ro("n_unknowns", &api::Summary::n_unknowns)
      .def_ro("memory_bytes", &api::Summary::memory_bytes)
      .def_ro("linear_solver", &api::Summary::linear_solver)
      .def_ro("warnings", &api::Summary::warnings);
  nb::class_<api::Check>(module, "Check")
      .def_ro("kind", &api::Check::kind)
      .def_ro("subject", &api::Check::subject)
      .def_ro("value", &api::Check::value)
      .def_ro("tolerance", &api::Check::tolerance)
      .def_ro("judged", &api::Check::judged)
      .def_ro("ok", &api::Check::ok)
      .def_ro("judged_value", &api::Check::judged_value)
      .def_ro("judged_text", &api::Check::judged_text)
      .def_ro("tolerance_text", &api::Check::tolerance_text)
      .def("__repr__", [](const api::Check& check) {
        const std::string factor = check.judged && (check.kind == "estimate" || check.kind == "goal") ? "1.5 x " : "";
        const std::string numbers = ": " + check.judged_text + " of " + check.tolerance_text;
        return factor + check.kind + " " + check.subject + numbers + (!check.judged ? "" : check.ok ? " ok" : " FAIL");
      });
  nb::class_<api::Axis>(module, "Axis")
      .def_ro("name", &api::Axis::name)
      .def_ro("kind", &api::Axis::kind)
      .def_ro("lower", &api::Axis::lower)
      .def_ro("upper", &api::Axis::upper)
      .def_ro("logarithmic", &api::Axis::logarithmic);
  nb::class_<api::AxisDescription>(module, "AxisDescription")
      .def_ro("degree", &api::AxisDescription::degree)
      .def_ro("edges", &api::AxisDescription::edges);
  nb::class_<api::StudyLevel>(module, "StudyLevel")
      .def_ro("values", &api::StudyLevel::values)
      .def_ro("size", &api::StudyLevel::size)
      .def_ro("exit_status", &api::StudyLevel::exit_status)
      .def_ro("status", &api::StudyLevel::status)
      .def_ro("reason", &api::StudyLevel::reason)
      .def_ro("error", &api::StudyLevel::error)
      .def_ro("order", &api::StudyLevel::order)
      .def_ro("rate", &api::StudyLevel::rate)
      .def_ro("fitted", &api::StudyLevel::fitted)
      .def_ro("at_floor", &api::StudyLevel::at_floor)
      .def_ro("is_reference", &api::StudyLevel::is_reference)
      .def_ro("n_unknowns", &api::StudyLevel::n_unknowns)
      .def_ro("wall_seconds", &api::StudyLevel::wall_seconds);
  nb::class_<api::SweepEnd>(module, "SweepEnd")
      .def_ro("complete", &api::SweepEnd::complete)
      .def_ro("exit_status", &api::SweepEnd::exit_status)
      .def_ro("n_runs", &api::SweepEnd::n_runs)
      .def_ro("n_ended", &api::SweepEnd::n_ended)
      .def_ro("report", &api::SweepEnd::report)
      .def_ro("file", &api::SweepEnd::file)
      .def_ro("journal", &api::SweepEnd::journal);
}

void bind_case(nb::module_& module) {
  nb::class_<api::Case>(module, "Case")
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& name, const Texts& changes) {
            return api::Case::from_text(text, name, to_overrides(changes));
          },
          "text"_a, "name"_a, "overrides"_a)
      .def_static(
          "from_file",
          [](const std::string& path, const Texts& changes) {
            return api::Case::from_file(path, to_overrides(changes));
          },
          "path"_a, "overrides"_a)
      .def_prop_ro("title", &api::Case::title)
      .def_prop_ro("text", &api::Case::text)
      .def_prop_ro("output_file", &api::Case::output_file)
      .def("manufactured", &api::Case::manufactured)
      .def("check", [](const api::Case& self) { return watched([=](const api::RunOptions&) { return self.check(); }); })
      .def(
          "run",
          [](const api::Case& self, int threads, const nb::object& tick, const nb::object& kept) {
            return watched([=](const api::RunOptions& options) { return self.run(options); }, threads, tick, kept);
          },
          "threads"_a, "tick"_a.none(), "kept"_a.none())
      .def(
          "converge",
          [](const api::Case& self, const Texts& vary, int threads, const nb::object& tick, const nb::object& kept) {
            return watched([=, changes = to_overrides(vary)](
                               const api::RunOptions& options) { return self.converge(changes, options); },
                           threads, tick, kept);
          },
          "vary"_a, "threads"_a, "tick"_a.none(), "kept"_a.none())
      .def(
          "sweep",
          [](const api::Case& self, const std::vector<std::string>& vary, const std::string& points_file,
             std::size_t samples, std::uint64_t seed, bool sobol, const std::string& output, bool overwrite,
             bool keep_runs, int threads, const nb::object& tick, const nb::object& kept) {
            const api::SweepOptions sweep = {vary, points_file, samples, seed, sobol, output, overwrite, keep_runs};
            return watched([=](const api::RunOptions& options) { return self.sweep(sweep, options); }, threads, tick,
                           kept);
          },
          "vary"_a, "points_file"_a, "samples"_a, "seed"_a, "sobol"_a, "output"_a, "overwrite"_a, "keep_runs"_a,
          "threads"_a, "tick"_a.none(), "kept"_a.none());
  module.def(
      "continue_sweep",
      [](const std::string& journal, bool overwrite, int threads, const nb::object& tick, const nb::object& kept) {
        return watched([=](const api::RunOptions& options) { return api::continue_sweep(journal, overwrite, options); },
                       threads, tick, kept);
      },
      "journal"_a, "overwrite"_a, "threads"_a, "tick"_a.none(), "kept"_a.none());
  module.def(
      "sweep_so_far",
      [](const std::string& journal, const std::string& output, bool overwrite) {
        return watched([=](const api::RunOptions&) { return api::sweep_so_far(journal, output, overwrite); });
      },
      "journal"_a, "output"_a, "overwrite"_a);
}

void bind_results(nb::module_& module) {
  nb::class_<api::Result>(module, "Result")
      .def_prop_ro("exit_status", &api::Result::exit_status)
      .def_prop_ro("status", &api::Result::status)
      .def_prop_ro("reason", &api::Result::reason)
      .def_prop_ro("complete", &api::Result::complete)
      .def_prop_ro("verified", &api::Result::verified)
      .def_prop_ro("verdict", &api::Result::verdict)
      .def_prop_ro("checks", &api::Result::checks)
      .def_prop_ro("warnings", &api::Result::warnings)
      .def_prop_ro("wall_seconds", &api::Result::wall_seconds)
      .def_prop_ro("axes", &api::Result::axes)
      .def_prop_ro("n_windows", &api::Result::n_windows)
      .def_prop_ro("window_edges", &api::Result::window_edges)
      .def_prop_ro("fields", &fields_of)
      .def("report", &api::Result::report)
      .def("points", &array_of_axis, "axis"_a)
      .def("subdomains", &api::Result::subdomains, "window"_a)
      .def("coefficients", &coefficients_of, "window"_a)
      .def("evaluate", &evaluate, "expression"_a, "points"_a)
      .def("parts", &parts_of, "expression"_a)
      .def(
          "write",
          [](const api::Result& self, const std::string& path, bool overwrite) {
            watch_only([=] { self.write(path, overwrite); });
          },
          "path"_a, "overwrite"_a);
  nb::class_<api::Study>(module, "Study")
      .def_prop_ro("exit_status", &api::Study::exit_status)
      .def_prop_ro("keys", &api::Study::keys)
      .def_prop_ro("size_name", &api::Study::size_name)
      .def_prop_ro("measure", &api::Study::measure)
      .def_prop_ro("levels", &api::Study::levels)
      .def_prop_ro("law", &api::Study::law)
      .def_prop_ro("algebraic_order", &api::Study::algebraic_order)
      .def_prop_ro("exponential_rate", &api::Study::exponential_rate)
      .def_prop_ro("floor", &api::Study::floor)
      .def_prop_ro("statement", &api::Study::statement)
      .def_prop_ro("passed", &api::Study::passed)
      .def("report", &api::Study::report)
      .def(
          "write",
          [](const api::Study& self, const std::string& path, bool overwrite) {
            watch_only([=] { self.write(path, overwrite); });
          },
          "path"_a, "overwrite"_a);
}

}  // namespace
}  // namespace gwrm::python

NB_MODULE(_core, module) {
  using namespace gwrm::python;
  nb::set_leak_warnings(false);  // what is alive when the interpreter ends - sys.last_value, say - is no mistake
  nb::register_exception_translator(translate);
  module.def("version", &gwrm::api::version);
  module.def("take_best_blas_kernels", &gwrm::take_best_blas_kernels);
  module.def("end_process_if_threads_are_left", &end_process_if_threads_are_left);
  bind_plain_data(module);
  bind_case(module);
  bind_results(module);
}
