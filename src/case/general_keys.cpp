#include "case/general_keys.hpp"

#include <algorithm>
#include <iterator>

#include "case/choices.hpp"
#include "case/data_section.hpp"
#include "case/distribution_keys.hpp"
#include "case/key_specs.hpp"

namespace gwrm::casefile {
namespace {

constexpr double kMaxIterations = 100000;
constexpr double kMaxGridPoints = 1000000;

void insert_below(std::vector<KeySpec>& specs, const std::string& path, std::vector<KeySpec> more) {
  const auto at = std::find_if(specs.begin(), specs.end(), [&](const KeySpec& spec) { return spec.path == path; });
  specs.insert(at + 1, std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<KeySpec> general_keys(const std::vector<std::string>& modules, const std::vector<std::string>& measures) {
  using namespace keys;
  std::vector<std::string> measure_words = {"auto", "error_max", "error_l2"};
  measure_words.insert(measure_words.end(), measures.begin(), measures.end());
  measure_words.insert(measure_words.end(), {"value", "residual", "self"});
  std::vector<KeySpec> specs = {
      map("", "A case for gwrm: equations, domain, conditions and how to solve them.", true),
      integer("schema", "1", 1, 1, "Version of the case file's format."),
      choice("problem", modules.front(), modules, "The problem module that solves the case."),
      text("title", "A line for plots and the result file."),

      map("domain", "The dimensions: t is time; x, y, z are space; any other name is a parameter.", true),
      or_map(
          list("domain.*", 2, 2,
               "The interval [lower, upper] of this dimension, or a map with range, map and basis, or of a parameter "
               "with a distribution and its numbers.")),
      number("domain.*[]", "An end of the interval."),
      list("domain.*.range", 2, 2, "The interval [lower, upper]."),
      number("domain.*.range[]", "An end of the interval."),
      choice("domain.*.map", "linear", word_list(kMapWords),
             "How the interval maps to [-1, 1]: linear, or linear in the logarithm (lower > 0)."),
      choice("domain.*.basis", kChebyshev, word_list(kBasisWords),
             "The functions along x, y, z: Chebyshev polynomials, or sines and cosines of a periodic direction."),

      map("constants", "Named numbers for all expressions; each may use those before it."),
      number("constants.*", "The value of this constant."),

      map("data", "Functions that files hold the numbers of, to be named in expressions."),
      map("data.*", "A function of the dimensions that its coordinates in the file name."),
      list("data.*.axes", 0, kMaxItems,
           "Its dimensions, in a result file: those of a file that is not looked at before a value is wanted."),
      text("data.*.axes[]", "A dimension of the domain."),

      map("definitions", "Names for expressions, to be used in all expressions."),
      formula("definitions.*", "An expression of unknowns, dimensions, constants, data and other definitions."),

      list("unknowns", 1, kMaxItems, "The fields to solve for.", true),
      or_map(text("unknowns[]",
                  "A field on every dimension of the domain, or a map with name, dims, vector and complex.")),
      text("unknowns[].name", "Name of the field.", true),
      list("unknowns[].dims", 0, kMaxItems,
           "The dimensions it depends on; [] is an unknown number. Default: every dimension."),
      text("unknowns[].dims[]", "A dimension of the domain."),
      list("unknowns[].vector", 1, 3,
           "Makes it a vector with a component along each of these dimensions of space: u is then u_x, u_y."),
      text("unknowns[].vector[]", "A dimension of space."),
      choice("unknowns[].complex", "false", word_list(kComplexWords),
             "Makes it complex: psi is then psi_re + i*psi_im, two real fields."),

      list("boundary", 0, kMaxItems, "Conditions at any points of the domain."),
      formula("boundary[]", "A condition, an equation with restrictions: u(x=0) = 0."),
      map("exact", "Exact solutions, where known: errors are then reported and stored."),
      or_list(or_map(formula("exact.*",
                             "The exact solution of this field, or a map that names a file; of a vector a "
                             "list of its components.")),
              1, kMaxItems),
      formula("exact.*[]", "A component."),
      map("solver", "How the equations are solved."),
      map("solver.newton", "The Newton iteration."),
      positive("solver.newton.tolerance", "1e-12",
               "The iteration ends when the relative correction is smaller. With resolution.tolerance T the default is "
               "1e-4 T, "
               "at least 1e-12."),
      integer("solver.newton.max_iterations", "30", 1, kMaxIterations, "Most iterations per window."),
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

      map("verification", "What the answer is held against."),
      positive("verification.tolerance", "1e-06",
               "For the estimated error and errors in initial, boundary, exact and reference values, relative to the "
               "field's size. With resolution.tolerance: T the default is T; of finite differences and recurrences it "
               "is 0.001."),
      positive("verification.tail", "0.0001",
               "For the last coefficients, relative to the largest; judged where the error is not estimated. With "
               "resolution.tolerance: T the default is T where that is larger."),
      positive("verification.residual", "0.001",
               "For the residual off the grid, relative to the equation's largest term; judged where the error is not "
               "estimated and resolution.tolerance is not given."),
      choice("verification.estimate", "on", word_list(kEstimateWords),
             "Whether the error of the answer is estimated: the linearised equations are solved for it at a finer "
             "resolution. budget: and what it is made of, and how much perturbations grow."),
      choice(
          "verification.after_loss", "fail", word_list(kAfterLossWords),
          "What becomes of an answer whose accuracy is lost before the last time, as in chaos. report: the statistics "
          "are the answer, and the verdict is about the time before."),
      list("verification.values", 0, kMaxItems, "Known values of the answer."),
      map("verification.values[]", "One known value."),
      formula("verification.values[].expr", "What is known.", true),
      map("verification.values[].at", "Where: a coordinate for each dimension that expr depends on."),
      number("verification.values[].at.*", "The coordinate, inside the domain."),
      number("verification.values[].value", "The known value.", true),

      map("output", "The result file."),
      text("output.file", "Its name. Default: the case file's name with .h5."),
      map("output.grid", "Points of the sampled fields per dimension."),
      or_list(
          integer(
              "output.grid.*", "", 2, kMaxGridPoints,
              "A number of points from end to end (equidistant, in the logarithm on a log dimension), or their list. "
              "Default: 41 in t, 101 in space (33 each in two or three dimensions), 9 in a parameter."),
          1, kMaxItems),
      number("output.grid.*[]", "A coordinate inside the domain; increasing."),
      map("output.fields", "What is sampled. Default: every unknown."),
      formula("output.fields.*", "Any expression of the unknowns."),
      choice(
          "output.error", "off", word_list(kErrorFieldsWords),
          "on: beside every field stands its estimated error at the points of the grid, <field>_error; every unknown "
          "is a field then."),
      choice("output.statistics", "auto", word_list(kStatisticsWords),
             "auto: mean, variance, sensitivities and Sobol indices are stored when there are parameter dimensions."),
      choice("output.coefficients", "all", word_list(kCoefficientsWords),
             "none: only the sampled fields are kept, so that memory and file do not grow with the number of windows."),

      map("units", "What quantities are measured in, for figures and other programs."),
      text("units.*",
           "The unit of this dimension, unknown, constant or field: m/s. Without units all is dimensionless."),
      map("labels", "What quantities are called, for figures and other programs."),
      text("labels.*", "A few words for this dimension, unknown, constant or field: velocity."),

      map("convergence", "Used by `gwrm converge`."),
      map("convergence.vary",
          "What changes from run to run: a dimension (its degree, or its intervals) or any key path, each with a list. "
          "Lists of the same length change together."),
      list("convergence.vary.*", 1, kMaxItems, "Values of this key, one for each run; a single one holds for all."),
      or_list(formula("convergence.vary.*[]", "A value of this key."), 1, kMaxItems),
      formula("convergence.vary.*[][]", "An element of a value that is a list, as edges."),
      choice("convergence.measure", "auto", measure_words,
             "The error that is followed; auto: against exact, without it against the finest run."),
      not_negative("convergence.least_order", "0",
                   "Exit status 6 if the algebraic order is smaller; 0: none asked for."),
      not_negative("convergence.least_rate", "0",
                   "Exit status 6 if the exponential rate per unit of size is smaller; 0: none asked for."),
  };
  insert_below(specs, "domain.*.basis", distribution_keys());
  insert_below(specs, "data.*", data_keys("data.*"));
  insert_below(specs, "exact.*", data_keys("exact.*"));
  return specs;
}

}  // namespace gwrm::casefile
