// The case file as plain data. Members are named like the keys of the YAML file; docs/case-file.md describes each key.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/axis.hpp"
#include "core/context.hpp"
#include "core/errors.hpp"
#include "core/quantities.hpp"
#include "core/source_text.hpp"
#include "expression/expression.hpp"

namespace gwrm {

struct AxisCase {
  Axis axis;
  int degree = 0;                  // highest polynomial degree (degree + 1 coefficients) in each window or subdomain;
                                   // -1: chosen by the program, only with resolution.tolerance
  std::vector<double> edges;       // of windows or subdomains, lower first, upper last; {lower, upper} if undivided;
                                   // with resolution.tolerance the division that the program starts from
  std::string basis = kChebyshev;  // a name of the registry in basis/axis_basis.hpp
  SourceText where;                // the key in `domain`
  bool of_module = false;          // not in the file: the module has this dimension always
};

struct UnknownCase {
  std::string name;
  std::vector<std::string> dims;  // in the program's order; default: every axis of the domain
  SourceText where;
  bool of_module = false;   // not under `unknowns`: named in the module's section
  std::string vector = {};  // the name in the file of which this is a component (Case::vectors); empty: a real number
};

struct NamedExpression {
  std::string name;
  SourceText text;
};

// A function known by numbers in a file: `data: {k: {file: k.h5, dataset: k}}`. A map of that kind at `initial`,
// `guess` or `exact` is an entry here, too, and its expression the entry's name.
struct DataCase {
  std::string name;
  std::string file;                                             // absolute, or relative to the working directory
  std::string dataset;                                          // empty: the only one of the file
  std::vector<std::pair<std::string, double>> at;               // further dimensions of the file, at one coordinate
  std::vector<std::pair<std::string, std::string>> dimensions;  // of the domain, and what the file calls them
  std::string checksum;           // of the file when it was read first (output/checksum.hpp); empty: any will do
  std::vector<std::string> axes;  // in the program's order; in the file: nothing is read before use
  bool at_one_time = false;       // of an earlier answer the last time; of an initial value
  std::shared_ptr<const expression::DataFunction> function;
  SourceText where;
};

struct InitialCase {
  std::string field;
  int order = 0;  // 0: the key "u"; 1: the key "dt(u)"; ...
  SourceText text;
  SourceText key;
};

enum class Weighting { radau, chebyshev };
enum class ParameterMethod { automatic, collocation, coupled };
enum class ProductChoice { automatic, pointwise, direct, transform, monolithic, stride };
enum class GlobalisationChoice { natural, none, sir, anderson };
enum class LinearSolverChoice { automatic, dense, lagged, averaged, tensor, banded, sparse, wavenumber, saddle };
enum class PredictorChoice { extrapolate, constant };  // where Newton starts in the next window
enum class ContinuationMethod { natural, arclength };
enum class EstimateChoice { on, off, budget };  // budget: on, and where the error comes from
enum class AfterLossChoice { fail, report };
enum class ErrorFieldsChoice { off, on };
enum class ComplexChoice { real, complex };       // of an unknown
enum class StatisticsChoice { automatic, none };  // automatic: stored when there are parameter dimensions
enum class CoefficientsChoice { all, none };      // none: only the sampled fields are kept

// What a problem module reads from sections of its own, as plain data: its struct is derived from this one.
struct ModuleCase {
  virtual ~ModuleCase() = default;
  // Dimensions that the result has and the case has not: the numbers of modes.
  virtual std::vector<std::string> dimensions_of_result() const { return {}; }
  // Numbers that expressions name and that have no value before the case is solved: an eigenvalue.
  virtual std::vector<std::string> sought_numbers() const { return {}; }
};

// A known value the answer is held against: `- {expr: u, at: {t: 1, x: 0.5}, value: 0.0942898748287136}`.
struct ReferenceValue {
  SourceText expr;
  std::vector<std::pair<std::string, double>> at;
  double value = 0.0;
};

struct GridAxis {
  std::string axis;
  int count = 0;  // equidistant points from lower to upper (equidistant in log z on a log axis); 0: list
  std::vector<double> points;
};

// The branch of steady solutions over one of the constants: `continue: {parameter: lam, to: 3.5}`.
struct Continuation {
  std::string parameter;  // a name of Case::constants, whose value the branch replaces; empty: no continuation
  double from = 0.0;      // default: the value in `constants`
  double to = 0.0;
  ContinuationMethod method = ContinuationMethod::arclength;
  double step = 0.0;     // first step in the parameter, a length; 0: chosen by the program
  int max_points = 500;  // key `points`: most points of the branch

  bool active() const { return !parameter.empty(); }
};

// A key that changes from run to run of a convergence study.
struct VariedKey {
  std::string key;                  // a dimension (its degree or intervals) or a key path, "resolution.domains.t"
  std::vector<std::string> values;  // as YAML text, one for each run
  std::vector<double> sizes;        // the values as numbers; of a list of edges the number of parts; else NaN
  SourceText where;
  bool operator==(const VariedKey& other) const { return key == other.key && values == other.values; }
};

struct Case {
  std::string path;  // as given on the command line
  int schema = 1;
  std::string module;  // key `problem`: the name of the module that solves it
  std::string title;

  std::vector<AxisCase> domain;  // reordered: t, parameters (as written), z, y, x
  std::vector<expression::Constant> constants;
  std::vector<DataCase> data;
  std::vector<UnknownCase> unknowns;              // real numbers; a vector of the file is its components, a complex
                                                  // number its two parts, one behind another
  std::vector<expression::VectorSymbol> vectors;  // the vectors and complex numbers among them
  std::vector<NamedExpression> definitions;       // key `definitions`: names for expressions
  std::vector<std::string> curvilinear;           // dimensions used like coordinates of space that are not Cartesian
  std::vector<SourceText> equations;
  std::vector<InitialCase> initial;
  std::vector<SourceText> boundary;
  std::vector<NamedExpression> exact;
  std::vector<NamedExpression> goals;  // numbers made of the whole solution; of problem: time_spectral

  // The degrees and divisions themselves are in `domain`.
  struct Resolution {
    double tolerance = 0.0;     // > 0: windows, subdomains and the degrees of -1 are chosen to meet it; 0: none
    int max_windows = 100000;   // key `limits.windows`: of the whole run
    int max_domains = 1024;     // key `limits.domains`: subdomains of one axis
    int max_degree = 640;       // key `limits.degree`: of one axis
    double max_seconds = 0.0;   // key `limits.time`: of the whole run, by the clock; 0: any
    double first_window = 0.0;  // length of the first window of an automatic run; 0: chosen by the program
    double start = 0.0;         // after a jump of the data: the time that is not judged there; 0: chosen by the program

    bool automatic() const { return tolerance > 0.0; }
  } resolution;

  struct Time {
    Weighting weighting = Weighting::radau;
  } time;
  ParameterMethod parameters = ParameterMethod::automatic;  // key `parameters: {method: collocation | coupled}`

  struct Solver {
    struct Newton {
      double tolerance = 1e-12;
      int max_iterations = 30;
      GlobalisationChoice globalisation = GlobalisationChoice::natural;
    } newton;
    LinearSolverChoice linear = LinearSolverChoice::automatic;
    PredictorChoice predictor = PredictorChoice::extrapolate;
    ProductChoice product = ProductChoice::automatic;
    SourceText product_where;
    double memory_gb = 0.0;  // key `memory`: most memory to use in GB; 0: what the machine has free
  } solver;

  // Starting values of the Newton iteration for fields without an initial value: `guess: {u: "sin(pi*x)"}`; default 0.
  std::vector<NamedExpression> guess;

  Continuation continuation;    // key `continue`, a reserved word of C++
  bool has_eigenvalue = false;  // one of the constants or unknowns is an eigenvalue: no rows may depend on its size
  std::shared_ptr<const ModuleCase> section;  // of the module's own; null where it has none (section_of, below)

  BackendChoice backend = BackendChoice::automatic;

  struct Verification {
    double tolerance = 1e-6;  // initial, boundary, exact errors and reference values (relative to the field's size)
    bool tolerance_given = false;  // here or as resolution.tolerance
    double tail = 1e-4;            // last coefficients relative to the largest
    double residual = 1e-3;        // off-grid residual relative to the terms of the equation
    EstimateChoice estimate = EstimateChoice::on;
    AfterLossChoice after_loss = AfterLossChoice::fail;
    std::vector<ReferenceValue> values;
  } verification;

  struct Output {
    std::string file;            // default: the case file's stem + ".h5"
    std::vector<GridAxis> grid;  // default: 41 points in t, 101 in x, y, z (33 each in 2D and 3D), 9 per parameter
    std::vector<NamedExpression> fields;  // default: every unknown; with errors every unknown is among them
    ErrorFieldsChoice error = ErrorFieldsChoice::off;  // on: the estimated error of each field beside it
    StatisticsChoice statistics = StatisticsChoice::automatic;
    CoefficientsChoice coefficients = CoefficientsChoice::all;
  } output;

  Quantities quantities;  // keys `units` and `labels`, as written (quantities_of() has what follows from them)

  // `convergence: {vary: {x: [8, 12, 16]}}`: what `gwrm converge` varies (problems/convergence).
  struct Convergence {
    std::vector<VariedKey> vary;  // lists of the same length, or of one value
    // The error that is followed: a kind of verification (output/report.hpp), "self" for the difference to the finest
    // run, or "auto".
    std::string measure = "auto";
    double least_order = 0.0;  // algebraic order asked for; 0: none
    double least_rate = 0.0;   // exponential rate asked for; 0: none
  } convergence;

  expression::Symbols symbols() const;  // axes, fields, constants for the expression language
  std::string resolved_text;  // this case with every default spelt out, as YAML that reads back to the same case
};

// What `output: {error: on}` calls the estimated error of a field.
inline std::string error_field_name(const std::string& field) {
  return field + "_error";
}

// The section of a module: section_of<SbpSatCase>(the_case).
template <class Section>
const Section& section_of(const Case& the_case) {
  const auto* section = dynamic_cast<const Section*>(the_case.section.get());
  if (section == nullptr) throw ShapeError("the case of problem: " + the_case.module + " has no such section");
  return *section;
}

}  // namespace gwrm
