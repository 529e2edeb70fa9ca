#include "case/key_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <utility>

#include "case/choices.hpp"

namespace gwrm::casefile {
namespace {

constexpr double kLargestDegree = 100000;
constexpr double kMostWindows = 100000;
constexpr double kMostAutomaticWindows = 10000000;
constexpr double kMostGridPoints = 1000000;
constexpr double kMostSbpIntervals = 1000000;
constexpr double kMostIntervals = 1099511627776;  // 2^40
constexpr int kMostItems = std::numeric_limits<int>::max();
constexpr double kAny = std::numeric_limits<double>::infinity();

using Choices = std::vector<std::string>;

KeySpec map(std::string path, std::string description, bool required = false) {
  return {std::move(path), form_map, required, "", std::move(description)};
}
KeySpec text(std::string path, std::string description, bool required = false) {
  return {std::move(path), form_text, required, "", std::move(description)};
}
KeySpec expression(std::string path, std::string description, bool required = false) {
  return {std::move(path), form_expression, required, "", std::move(description)};
}
KeySpec choice(std::string path, std::string fallback, Choices choices, std::string description) {
  return {std::move(path), form_choice, false, std::move(fallback), std::move(description), std::move(choices)};
}
KeySpec number(std::string path, std::string description, bool required = false) {
  return {std::move(path), form_number, required, "", std::move(description)};
}
KeySpec positive(std::string path, std::string fallback, std::string description) {
  return {std::move(path), form_number, false, std::move(fallback), std::move(description), {}, 0.0, kAny, true};
}
KeySpec not_negative(std::string path, std::string fallback, std::string description) {
  return {std::move(path), form_number, false, std::move(fallback), std::move(description), {}, 0.0, kAny};
}
KeySpec integer(std::string path, std::string fallback, double least, double most, std::string description) {
  return {std::move(path), form_integer, false, std::move(fallback), std::move(description), {}, least, most};
}
KeySpec list(std::string path, int least, int most, std::string description, bool required = false) {
  return {std::move(path), form_list, required, "", std::move(description), {}, -kAny, kAny, false, least, most};
}
// The relative accuracy of an automatic run. Below 1e-14 the rounding of double precision decides, not the resolution.
KeySpec accuracy(std::string path, std::string description) {
  KeySpec spec = number(std::move(path), std::move(description));
  spec.minimum = 1e-14;
  spec.maximum = 1.0;
  spec.below_maximum = true;
  spec.cure = "it is the relative accuracy to reach, as 1.0e-8; leave the key out to choose every degree yourself";
  return spec;
}
// A second form for the same key: "a count or a list", "a name or a map".
KeySpec or_list(KeySpec spec, int least, int most) {
  spec.forms |= form_list;
  spec.min_items = least;
  spec.max_items = most;
  return spec;
}
KeySpec or_map(KeySpec spec) {
  spec.forms |= form_map;
  return spec;
}
KeySpec required(KeySpec spec) {
  spec.required = true;
  return spec;
}
// A section that one problem module reads and the others refuse.
KeySpec only(const char* problem, KeySpec spec) {
  spec.problem = problem;
  return spec;
}
constexpr const char* kSpectral = "time_spectral";
constexpr const char* kRecurrence = "recurrence_bvp";
constexpr const char* kSbpSat = "sbp_sat_poisson";

std::vector<KeySpec> make_table() {
  return {
      map("", "A case for gwrm: equations, domain, conditions and how to solve them.", true),
      integer("schema", "1", 1, 1, "Version of the case file's format."),
      choice("problem", "time_spectral", {"time_spectral", "recurrence_bvp", "sbp_sat_poisson"},
             "The problem module that solves the case."),
      text("title", "A line for plots and the result file."),

      map("domain", "The dimensions: t is time; x, y, z are space; any other name is a parameter.", true),
      or_map(list("domain.*", 2, 2, "The interval [lower, upper] of this dimension, or a map with range and map.")),
      number("domain.*[]", "An end of the interval."),
      list("domain.*.range", 2, 2, "The interval [lower, upper].", true),
      number("domain.*.range[]", "An end of the interval."),
      choice("domain.*.map", "linear", word_list(kMapWords),
             "How the interval maps to [-1, 1]: linear, or linear in the logarithm (lower > 0)."),

      map("constants", "Named numbers for all expressions; each may use those before it."),
      number("constants.*", "The value of this constant."),

      list("unknowns", 1, kMostItems, "The fields to solve for.", true),
      or_map(text("unknowns[]", "A field on every dimension of the domain, or a map with name and dims.")),
      text("unknowns[].name", "Name of the field.", true),
      list("unknowns[].dims", 0, kMostItems,
           "The dimensions it depends on; [] is an unknown number. Default: every dimension."),
      text("unknowns[].dims[]", "A dimension of the domain."),

      only(kSpectral, list("equations", 1, kMostItems, "As many equations as unknowns, each with one '='.", true)),
      expression("equations[]", "An equation."),
      only(kSpectral, map("initial", "Initial values at the lower end of t.")),
      expression("initial.*",
                 "Initial value of the field u (key u) or of its time derivatives (keys \"dt(u)\", \"dt(u,2)\")."),
      list("boundary", 0, kMostItems, "Conditions at any points of the domain."),
      expression("boundary[]", "A condition, an equation with restrictions: u(x=0) = 0."),
      map("exact", "Exact solutions, where known: errors are then reported and stored."),
      expression("exact.*", "The exact solution of this field."),
      only(kSpectral, map("guess", "Where the Newton iteration starts for fields without an initial value.")),
      expression("guess.*", "Starting value of this field; 0 where none is given."),

      only(kSpectral, map("resolution", "How finely each dimension is resolved.", true)),
      accuracy("resolution.tolerance",
               "Relative accuracy to reach: the program chooses windows, subdomains and the degrees that are not "
               "given."),
      map("resolution.degree",
          "Highest polynomial degree per dimension: of every dimension, or with tolerance of those where it is to be "
          "kept."),
      integer("resolution.degree.*", "", 0, kLargestDegree,
              "Highest polynomial degree along this dimension, in each window or subdomain (degree + 1 coefficients); "
              "at least 1 for t."),
      map("resolution.domains",
          "Windows in time and subdomains in space; with tolerance the division to start from. Parameters are not "
          "divided."),
      or_list(
          integer("resolution.domains.*", "1", 1, kMostWindows, "A number of equal parts, or the list of their edges."),
          2, kMostItems),
      number("resolution.domains.*[]", "An edge; the first and last are the ends of the dimension."),
      map("resolution.limits", "The most an automatic run may use before it stops with exit status 6."),
      integer("resolution.limits.windows", "100000", 1, kMostAutomaticWindows,
              "Windows over the whole run; it stops as soon as they turn out too short for so few."),
      integer("resolution.limits.domains", "1024", 1, kMostWindows, "Subdomains along one space dimension."),
      integer("resolution.limits.degree", "640", 1, kLargestDegree, "Degree along one dimension."),
      not_negative("resolution.first_window", "0",
                   "Length of the first window of an automatic run; 0: chosen by the program."),

      only(kRecurrence, map("recurrence", "The equation -dx(u,2) + reaction*u = source and how it is solved.", true)),
      required(integer("recurrence.intervals", "", 8, kMostIntervals,
                       "Equal intervals of the grid, one less than its points.")),
      or_map(expression("recurrence.source", "An expression of x, or a map with file and dataset.", true)),
      text("recurrence.source.file", "An HDF5 file; its folder is that of the case file unless it begins with /.",
           true),
      text("recurrence.source.dataset", "One number for each point of the grid.", true),
      not_negative("recurrence.reaction", "0", "The factor k^2 of u in the equation."),
      integer("recurrence.order", "2", 2, 4, "Order of accuracy: 2, or 4 at the same cost."),
      choice("recurrence.algorithm", "moments", word_list(kRecurrenceAlgorithmWords),
             "moments: block sums with double-double carries; the others are the paper's."),
      choice("recurrence.precision", "double", word_list(kStoragePrecisionWords),
             "How the solution is stored; carries are in double-double."),
      integer("recurrence.columns", "0", 0, kMostIntervals,
              "Columns of the paper's divide and conquer; 0: the divisor of intervals next to its root."),

      only(kSpectral, map("time", "Treatment of time.")),
      choice("time.weighting", "radau", word_list(kWeightingWords),
             "How the equations are weighted in time: radau, or chebyshev (the integral form of the papers, for one "
             "window)."),
      only(kSpectral, map("parameters", "Treatment of the parameter dimensions.")),
      choice("parameters.method", "auto", word_list(kParameterMethodWords),
             "collocation solves once per parameter point, coupled solves all at once."),

      map("solver", "How the equations are solved."),
      map("solver.newton", "The Newton iteration."),
      positive("solver.newton.tolerance", "1e-12",
               "The iteration ends when the relative correction is smaller. With resolution.tolerance T the default is "
               "1e-4 T, "
               "at least 1e-12."),
      integer("solver.newton.max_iterations", "30", 1, kLargestDegree, "Most iterations per window."),
      choice("solver.newton.globalisation", "natural", word_list(kGlobalisationWords),
             "What guards the iteration far from the solution."),
      choice("solver.linear", "auto", word_list(kLinearSolverWords), "The linear solver."),
      choice("solver.predictor", "extrapolate", word_list(kPredictorWords),
             "Where the Newton iteration starts in the next window."),
      choice("solver.product", "auto", word_list(kProductWords),
             "How products of unknowns are formed: pointwise (on padded points), or of their Chebyshev coefficients by "
             "direct sums, by transforms, or by the papers' two kernels, monolithic and stride."),
      not_negative("solver.memory", "0", "Most memory to use, in GB; 0: what the machine has free."),
      choice("backend", "auto", word_list(kBackendWords), "Where the work is done."),

      only(kSpectral, map("continue", "Follows the steady solutions while one of the constants changes.")),
      text("continue.parameter", "The constant that changes.", true),
      number("continue.from", "Its value where the branch begins. Default: its value in constants."),
      number("continue.to", "The branch ends where the constant has this value.", true),
      choice("continue.method", "arclength", word_list(kContinuationMethodWords),
             "What parametrises the branch: its arc length, which passes folds, or the constant itself."),
      not_negative("continue.step", "0", "Length of the first step in the constant; 0: chosen by the program."),
      integer("continue.points", "500", 2, kMostWindows, "Most points of the branch, its first one included."),

      only(kSbpSat, map("sbp_sat", "The equation -div(c grad u) = source and how it is solved.", true)),
      integer("sbp_sat.order", "2", 2, 6, "Order of accuracy: 2, 4 or 6."),
      required(or_map(integer("sbp_sat.intervals", "", 2, kMostSbpIntervals,
                              "Intervals along both dimensions, in every block, or a map with those of each."))),
      or_list(integer("sbp_sat.intervals.*", "", 2, kMostSbpIntervals,
                      "Intervals of every block along this dimension, or a list with those of each block."),
              1, kMostItems),
      integer("sbp_sat.intervals.*[]", "", 2, kMostSbpIntervals, "Intervals of this block."),
      map("sbp_sat.blocks", "Division into blocks, between which c and the source may jump."),
      list("sbp_sat.blocks.*", 2, kMostItems, "The edges of the blocks; the first and last are the dimension's ends."),
      number("sbp_sat.blocks.*[]", "An edge."),
      map("sbp_sat.mapping", "Curvilinear coordinates: x and y as expressions of the domain's two dimensions."),
      expression("sbp_sat.mapping.x", "x at a point of the grid.", true),
      expression("sbp_sat.mapping.y", "y at a point of the grid.", true),
      or_map(expression("sbp_sat.coefficient", "c, or a map with the entries of a symmetric matrix. Default: 1.")),
      expression("sbp_sat.coefficient.xx", "Default: 1."),
      expression("sbp_sat.coefficient.xy", "Default: 0."),
      expression("sbp_sat.coefficient.yy", "Default: 1."),
      expression("sbp_sat.source", "The right-hand side.", true),
      not_negative("sbp_sat.tau", "0",
                   "Penalty of Dirichlet sides and interfaces in units of c/h; 0: twice the least value that keeps the "
                   "operator definite."),
      choice("sbp_sat.solver", "auto", word_list(kPoissonSolverWords), "How the linear system is solved."),
      choice("sbp_sat.operator", "auto", word_list(kPoissonOperatorWords),
             "How conjugate gradients apply the operator."),
      choice("sbp_sat.reduction", "standard", word_list(kReductionWords),
             "Conjugate gradients with two sums per iteration one after the other, or both at once."),
      positive("sbp_sat.tolerance", "1e-12",
               "An iteration ends when the residual is this small, relative to the right-hand side (Euclidean norm)."),
      not_negative("sbp_sat.algebraic_error", "0",
                   "Instead it ends when the bound on the error it leaves is this small (norm of H); 0: by tolerance."),
      integer("sbp_sat.max_iterations", "100000", 1, kMostSbpIntervals, "Most iterations."),

      map("verification", "What the answer is held against."),
      positive("verification.tolerance", "1e-06",
               "For errors in initial, boundary, exact and reference values, relative to the field's size. With "
               "resolution.tolerance: T the default is T."),
      positive("verification.tail", "0.0001", "For the last coefficients, relative to the largest."),
      positive("verification.residual", "0.001",
               "For the residual off the grid, relative to the equation's largest term."),
      list("verification.values", 0, kMostItems, "Known values of the answer."),
      map("verification.values[]", "One known value."),
      expression("verification.values[].expr", "What is known.", true),
      map("verification.values[].at", "Where: a coordinate for each dimension that expr depends on."),
      number("verification.values[].at.*", "The coordinate, inside the domain."),
      number("verification.values[].value", "The known value.", true),

      map("output", "The result file."),
      text("output.file", "Its name. Default: the case file's name with .h5."),
      map("output.grid", "Points of the sampled fields per dimension."),
      or_list(
          integer(
              "output.grid.*", "", 2, kMostGridPoints,
              "A number of points from end to end (equidistant, in the logarithm on a log dimension), or their list. "
              "Default: 41 in t, 101 in space (33 each in two or three dimensions), 9 in a parameter."),
          1, kMostItems),
      number("output.grid.*[]", "A coordinate inside the domain; increasing."),
      map("output.fields", "What is sampled. Default: every unknown."),
      expression("output.fields.*", "Any expression of the unknowns."),
      choice("output.statistics", "auto", word_list(kStatisticsWords),
             "auto: mean, variance, sensitivities and Sobol indices are stored when there are parameter dimensions."),
      choice("output.coefficients", "all", word_list(kCoefficientsWords),
             "none: only the sampled fields are kept, so that memory and file do not grow with the number of windows."),

      map("convergence", "Used by `gwrm converge`."),
      map("convergence.vary",
          "What changes from run to run: a dimension (its degree, or its intervals) or any key path, each with a list. "
          "Lists of the same length change together."),
      list("convergence.vary.*", 1, kMostItems, "Values of this key, one for each run; a single one holds for all."),
      or_list(expression("convergence.vary.*[]", "A value of this key."), 1, kMostItems),
      expression("convergence.vary.*[][]", "An element of a value that is a list, as edges."),
      choice("convergence.measure", "auto", word_list(kConvergenceMeasureWords),
             "The error that is followed; auto: against exact, without it against the finest run."),
      not_negative("convergence.least_order", "0",
                   "Exit status 6 if the algebraic order is smaller; 0: none asked for."),
      not_negative("convergence.least_rate", "0",
                   "Exit status 6 if the exponential rate per unit of size is smaller; 0: none asked for."),
  };
}

const std::unordered_map<std::string, const KeySpec*>& key_index() {
  static const auto index = [] {
    std::unordered_map<std::string, const KeySpec*> result;
    for (const KeySpec& spec : key_table()) result.emplace(spec.path, &spec);
    return result;
  }();
  return index;
}

}  // namespace

std::string KeySpec::parent() const {
  if (is_element()) return path.substr(0, path.size() - 2);
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string KeySpec::name() const {
  if (is_element()) return "[]";
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

const std::vector<KeySpec>& key_table() {
  static const std::vector<KeySpec> table = make_table();
  return table;
}

const KeySpec* find_key(const std::string& path) {
  const auto found = key_index().find(path);
  return found == key_index().end() ? nullptr : found->second;
}

const KeySpec& known_key(const std::string& path) {
  const KeySpec* spec = find_key(path);
  if (spec == nullptr) throw ShapeError("no key `" + path + "` in the table of keys");
  return *spec;
}

std::vector<const KeySpec*> keys_below(const std::string& path) {
  std::vector<const KeySpec*> result;
  for (const KeySpec& spec : key_table())
    if (!spec.path.empty() && spec.parent() == path) result.push_back(&spec);
  return result;
}

const KeySpec* legal_key(const KeySpec& parent, const std::string& name) {
  const std::string prefix = parent.path.empty() ? "" : parent.path + ".";
  const bool a_plain_name = name.find_first_of(".*[]") == std::string::npos;
  if (const KeySpec* own = a_plain_name ? find_key(prefix + name) : nullptr) return own;
  return find_key(prefix + "*");
}

std::string range_text(const KeySpec& spec) {
  const bool below = std::isfinite(spec.minimum), above = std::isfinite(spec.maximum);
  if (below && above && spec.minimum == spec.maximum) return fmt::format("{}", spec.minimum);
  if (below && above && spec.below_maximum)
    return fmt::format("at least {} and less than {}", spec.minimum, spec.maximum);
  if (below && above) return fmt::format("between {} and {}", spec.minimum, spec.maximum);
  if (below) return fmt::format("{} {}", spec.above_minimum ? "greater than" : "at least", spec.minimum);
  return "";
}

bool in_range(const KeySpec& spec, double value) {
  const bool enough = spec.above_minimum ? value > spec.minimum : value >= spec.minimum;
  const bool not_too_much = spec.below_maximum ? value < spec.maximum : value <= spec.maximum;
  return enough && not_too_much;
}

}  // namespace gwrm::casefile
