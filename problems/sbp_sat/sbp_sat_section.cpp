#include "problems/sbp_sat/sbp_sat_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "case/dimensions.hpp"
#include "case/key_specs.hpp"
#include "case/names.hpp"
#include "case/words.hpp"
#include "problems/sbp_sat/sbp_sat_case.hpp"

namespace gwrm {

using namespace casefile;

namespace {

constexpr double kMaxIntervals = 1000000;
constexpr double kMaxIterations = 1000000;

constexpr Words<PoissonSolver, 5> kSolverWords{{{"auto", PoissonSolver::automatic},
                                                {"fast_diagonalisation", PoissonSolver::fast_diagonalisation},
                                                {"multigrid_cg", PoissonSolver::multigrid_cg},
                                                {"jacobi_cg", PoissonSolver::jacobi_cg},
                                                {"cg", PoissonSolver::cg}}};
constexpr Words<PoissonOperator, 4> kOperatorWords{{{"auto", PoissonOperator::automatic},
                                                    {"matrix_free", PoissonOperator::matrix_free},
                                                    {"csr", PoissonOperator::csr},
                                                    {"ell", PoissonOperator::ell}}};
constexpr Words<ReductionChoice, 2> kReductionWords{
    {{"standard", ReductionChoice::standard}, {"single", ReductionChoice::single}}};

constexpr const char* kProblem = "problem: sbp_sat_poisson";

void check_domain(const Case& result) {
  for (const AxisCase& axis : result.domain)
    if (axis.axis.kind != AxisKind::space || axis.axis.map != MapKind::linear || axis.basis != kChebyshev)
      throw_case_error(axis.where, 0,
                       fmt::format("{} has two dimensions of space, equally divided: no map, no basis", kProblem));
  if (result.domain.size() != 2)
    throw_case_error(
        result.domain.back().where, 0,
        fmt::format("{} has two dimensions, found {}: x: [0, 1] and y: [0, 1], say", kProblem, result.domain.size()));
  const UnknownCase& unknown = result.unknowns.back();
  if (result.unknowns.size() > 1) throw_case_error(unknown.where, 0, fmt::format("{} has one unknown", kProblem));
  if (unknown.dims.size() != 2)
    throw_case_error(unknown.where, 0, fmt::format("the unknown of {} depends on both dimensions", kProblem));
  if (unknown.name == "flux")
    throw_case_error(unknown.where, 0, "`flux` is the outward flux in boundary conditions: choose another name");
  for (const NamedExpression& definition : result.definitions)
    if (definition.name == "flux")
      throw_case_error(definition.text, 0,
                       "`flux` is the outward flux in boundary conditions: give the definition another name");
}

void read_mapping(const CaseTree& file, const Case& result, SbpSatCase& sbp) {
  for (const YamlEntry& entry : entries_at(file.root, "sbp_sat.mapping")) {
    sbp.mapping.push_back({entry.key.text, entry.value.mark.where()});
    for (const AxisCase& axis : result.domain)
      if (axis.axis.name == entry.key.text)
        entry.key.fail(
            fmt::format("`{}` is a dimension of the domain already: name the dimensions r and s, say", entry.key.text));
    for (const expression::Constant& constant : result.constants)
      if (constant.name == entry.key.text) entry.key.fail(fmt::format("`{}` is a constant", entry.key.text));
    for (const NamedExpression& definition : result.definitions)
      if (definition.name == entry.key.text)
        entry.key.fail(fmt::format("`{}` is a definition: give that another name", entry.key.text));
    if (result.unknowns.front().name == entry.key.text)
      entry.key.fail(fmt::format("`{}` is the unknown", entry.key.text));
  }
  if (!sbp.mapping.empty()) return;
  for (const AxisCase& axis : result.domain)
    if (axis.axis.name != "x" && axis.axis.name != "y")
      throw_case_error(
          axis.where, 0,
          fmt::format("the dimension `{}` needs sbp_sat.mapping with x and y as expressions of it, or call "
                      "the dimensions x and y",
                      axis.axis.name));
}

void read_blocks(const CaseTree& file, const Case& result, SbpSatCase& sbp) {
  const std::vector<std::string> axes = axis_names(result);
  for (const AxisCase& axis : result.domain) sbp.edges.push_back({axis.axis.lower, axis.axis.upper});
  for (const YamlEntry& entry : entries_at(file.root, "sbp_sat.blocks")) {
    check_known(entry.key, axes, "dimension");
    const auto d = static_cast<std::size_t>(std::find(axes.begin(), axes.end(), entry.key.text) - axes.begin());
    const Axis& axis = result.domain[d].axis;
    std::vector<double> edges = file.numbers_of(entry.value, "sbp_sat.blocks.*", result.constants);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i] = coordinate_on(axis, edges[i], entry.value.items[i]);
      if (i > 0 && !(edges[i] > edges[i - 1])) entry.value.items[i].mark.fail("the edges of blocks must increase");
    }
    if (edges.front() != axis.lower || edges.back() != axis.upper)
      entry.key.fail(fmt::format("the blocks must fill `{}` from {} to {}: these are the first and the last edge",
                                 axis.name, axis.lower, axis.upper));
    sbp.edges[d] = edges;
  }
}

std::vector<int> intervals_of(const CaseTree& file, const YamlNode& node, const std::string& key, std::size_t n_blocks,
                              const Constants& constants) {
  if (node.is_scalar()) return std::vector<int>(n_blocks, file.integer_of(node, key, constants));
  std::vector<int> counts;
  for (const YamlNode& item : node.items) counts.push_back(file.integer_of(item, key + "[]", constants));
  if (counts.size() != n_blocks)
    node.mark.fail(fmt::format("{} numbers of intervals for {} block{} (sbp_sat.blocks)", counts.size(), n_blocks,
                               n_blocks == 1 ? "" : "s"));
  return counts;
}

void read_intervals(const CaseTree& file, const Case& result, SbpSatCase& sbp) {
  const YamlNode& node = *file.root.find_path("sbp_sat.intervals");
  sbp.intervals_where = file.root.find("sbp_sat")->find_entry("intervals")->key.where();
  for (std::size_t d = 0; d < result.domain.size(); ++d) {
    const std::size_t n_blocks = sbp.edges[d].size() - 1;
    if (node.is_scalar()) {
      sbp.intervals.push_back(intervals_of(file, node, "sbp_sat.intervals", n_blocks, result.constants));
      continue;
    }
    const std::string& name = result.domain[d].axis.name;
    const YamlNode* own = node.find(name);
    if (own == nullptr) node.mark.fail(fmt::format("the dimension `{0}` needs intervals: {0}: 64, say", name));
    sbp.intervals.push_back(intervals_of(file, *own, "sbp_sat.intervals.*", n_blocks, result.constants));
  }
  for (const YamlEntry& entry : node.entries) check_known(entry.key, axis_names(result), "dimension");
}

}  // namespace

std::vector<KeySpec> SbpSatSection::keys() const {
  using namespace casefile::keys;
  return {
      map("sbp_sat", "The equation -div(c grad u) = source and how it is solved.", true),
      integer("sbp_sat.order", "2", 2, 6, "Order of accuracy: 2, 4 or 6."),
      required(or_map(integer("sbp_sat.intervals", "", 2, kMaxIntervals,
                              "Intervals along both dimensions, in every block, or a map with those of each."))),
      or_list(integer("sbp_sat.intervals.*", "", 2, kMaxIntervals,
                      "Intervals of every block along this dimension, or a list with those of each block."),
              1, kMaxItems),
      integer("sbp_sat.intervals.*[]", "", 2, kMaxIntervals, "Intervals of this block."),
      map("sbp_sat.blocks", "Division into blocks, between which c and the source may jump."),
      list("sbp_sat.blocks.*", 2, kMaxItems, "The edges of the blocks; the first and last are the dimension's ends."),
      number("sbp_sat.blocks.*[]", "An edge."),
      map("sbp_sat.mapping", "Curvilinear coordinates: x and y as expressions of the domain's two dimensions."),
      formula("sbp_sat.mapping.x", "x at a point of the grid.", true),
      formula("sbp_sat.mapping.y", "y at a point of the grid.", true),
      or_map(formula("sbp_sat.coefficient", "c, or a map with the entries of a symmetric matrix. Default: 1.")),
      formula("sbp_sat.coefficient.xx", "Default: 1."),
      formula("sbp_sat.coefficient.xy", "Default: 0."),
      formula("sbp_sat.coefficient.yy", "Default: 1."),
      formula("sbp_sat.source", "The right-hand side.", true),
      not_negative("sbp_sat.tau", "0",
                   "Penalty of Dirichlet sides and interfaces in units of c/h; 0: twice the least value that keeps the "
                   "operator definite."),
      choice("sbp_sat.solver", "auto", word_list(kSolverWords), "How the linear system is solved."),
      choice("sbp_sat.operator", "auto", word_list(kOperatorWords), "How conjugate gradients apply the operator."),
      choice("sbp_sat.reduction", "standard", word_list(kReductionWords),
             "Conjugate gradients with two sums per iteration one after the other, or both at once."),
      positive("sbp_sat.tolerance", "1e-12",
               "An iteration ends when the residual is this small, relative to the right-hand side (Euclidean norm)."),
      not_negative("sbp_sat.algebraic_error", "0",
                   "Instead it ends when the bound on the error it leaves is this small (norm of H); 0: by tolerance."),
      integer("sbp_sat.max_iterations", "100000", 1, kMaxIterations, "Most iterations."),
  };
}

// Curvilinear coordinates have names of the user's and are dimensions of space all the same.
void SbpSatSection::settle_domain(std::vector<AxisCase>& domain) const {
  for (AxisCase& axis : domain)
    if (axis.axis.kind == AxisKind::parameter) axis.axis.kind = AxisKind::space;
}

void SbpSatSection::read(const CaseTree& file, Case& result) const {
  check_domain(result);
  const Constants& constants = result.constants;
  SbpSatCase sbp;
  sbp.where = file.root.find_entry("sbp_sat")->key.where();
  sbp.order = file.integer_at("sbp_sat.order", constants, sbp.order);
  if (sbp.order % 2 != 0) file.root.find_path("sbp_sat.order")->mark.fail("the order of accuracy is 2, 4 or 6");
  read_mapping(file, result, sbp);
  read_blocks(file, result, sbp);
  read_intervals(file, result, sbp);
  const YamlNode* coefficient = file.root.find_path("sbp_sat.coefficient");
  if (coefficient != nullptr && coefficient->is_scalar()) sbp.coefficient.push_back({"c", coefficient->mark.where()});
  if (coefficient != nullptr)
    for (const YamlEntry& entry : coefficient->entries)
      sbp.coefficient.push_back({entry.key.text, entry.value.mark.where()});
  sbp.source = file.root.find_path("sbp_sat.source")->mark.where();
  sbp.tau = file.number_at("sbp_sat.tau", constants, sbp.tau);
  sbp.tau_where = file.place_of("sbp_sat.tau");
  sbp.solver_where = file.place_of("sbp_sat.solver");
  sbp.solver = file.choice_at("sbp_sat.solver", kSolverWords, sbp.solver);
  sbp.operator_form = file.choice_at("sbp_sat.operator", kOperatorWords, sbp.operator_form);
  sbp.reduction = file.choice_at("sbp_sat.reduction", kReductionWords, sbp.reduction);
  sbp.tolerance = file.number_at("sbp_sat.tolerance", constants, sbp.tolerance);
  sbp.algebraic_error = file.number_at("sbp_sat.algebraic_error", constants, sbp.algebraic_error);
  sbp.max_iterations = file.integer_at("sbp_sat.max_iterations", constants, sbp.max_iterations);
  result.section = std::make_shared<SbpSatCase>(std::move(sbp));
}

void SbpSatSection::write(ResolvedText& text, const Case& the_case) const {
  const auto& sbp = section_of<SbpSatCase>(the_case);
  text.line(0, "sbp_sat");
  text.line(2, "order", std::to_string(sbp.order));
  text.line(2, "intervals");
  for (std::size_t d = 0; d < sbp.intervals.size(); ++d)
    text.line(4, the_case.domain[d].axis.name,
              number_list(std::vector<double>(sbp.intervals[d].begin(), sbp.intervals[d].end()), 6));
  text.line(2, "blocks");
  for (std::size_t d = 0; d < sbp.edges.size(); ++d)
    text.line(4, the_case.domain[d].axis.name, number_list(sbp.edges[d], 6));
  text.named(2, "mapping", sbp.mapping);
  if (sbp.coefficient.size() == 1 && sbp.coefficient.front().name == "c")
    text.line(2, "coefficient", quoted(sbp.coefficient.front().text.text));
  else
    text.named(2, "coefficient", sbp.coefficient);
  text.line(2, "source", quoted(sbp.source.text));
  text.line(2, "tau", number_text(sbp.tau));
  text.line(2, "solver", word_of(kSolverWords, sbp.solver));
  text.line(2, "operator", word_of(kOperatorWords, sbp.operator_form));
  text.line(2, "reduction", word_of(kReductionWords, sbp.reduction));
  text.line(2, "tolerance", number_text(sbp.tolerance));
  text.line(2, "algebraic_error", number_text(sbp.algebraic_error));
  text.line(2, "max_iterations", std::to_string(sbp.max_iterations));
}

}  // namespace gwrm
