// The words of the case file for each choice: one list for the table of keys, the reader and the resolved text.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case/case.hpp"

namespace gwrm::casefile {

template <class Enum, std::size_t n>
using Words = std::array<std::pair<std::string_view, Enum>, n>;

inline constexpr Words<MapKind, 2> kMapWords{{{"linear", MapKind::linear}, {"log", MapKind::log}}};
inline constexpr Words<Weighting, 2> kWeightingWords{
    {{"radau", Weighting::radau}, {"chebyshev", Weighting::chebyshev}}};
inline constexpr Words<ParameterMethod, 3> kParameterMethodWords{{{"auto", ParameterMethod::automatic},
                                                                  {"collocation", ParameterMethod::collocation},
                                                                  {"coupled", ParameterMethod::coupled}}};
inline constexpr Words<GlobalisationChoice, 4> kGlobalisationWords{{{"natural", GlobalisationChoice::natural},
                                                                    {"none", GlobalisationChoice::none},
                                                                    {"sir", GlobalisationChoice::sir},
                                                                    {"anderson", GlobalisationChoice::anderson}}};
inline constexpr Words<LinearSolverChoice, 6> kLinearSolverWords{{{"auto", LinearSolverChoice::automatic},
                                                                  {"dense", LinearSolverChoice::dense},
                                                                  {"lagged", LinearSolverChoice::lagged},
                                                                  {"averaged", LinearSolverChoice::averaged},
                                                                  {"tensor", LinearSolverChoice::tensor},
                                                                  {"banded", LinearSolverChoice::banded}}};
inline constexpr Words<PredictorChoice, 2> kPredictorWords{
    {{"extrapolate", PredictorChoice::extrapolate}, {"constant", PredictorChoice::constant}}};
inline constexpr Words<ContinuationMethod, 2> kContinuationMethodWords{
    {{"natural", ContinuationMethod::natural}, {"arclength", ContinuationMethod::arclength}}};
inline constexpr Words<StatisticsChoice, 2> kStatisticsWords{
    {{"auto", StatisticsChoice::automatic}, {"none", StatisticsChoice::none}}};
inline constexpr Words<CoefficientsChoice, 2> kCoefficientsWords{
    {{"all", CoefficientsChoice::all}, {"none", CoefficientsChoice::none}}};
inline constexpr Words<ProductChoice, 6> kProductWords{{{"auto", ProductChoice::automatic},
                                                        {"pointwise", ProductChoice::pointwise},
                                                        {"direct", ProductChoice::direct},
                                                        {"transform", ProductChoice::transform},
                                                        {"monolithic", ProductChoice::monolithic},
                                                        {"stride", ProductChoice::stride}}};
inline constexpr Words<RecurrenceAlgorithm, 6> kRecurrenceAlgorithmWords{{{"moments", RecurrenceAlgorithm::moments},
                                                                          {"a1s", RecurrenceAlgorithm::a1s},
                                                                          {"a1d", RecurrenceAlgorithm::a1d},
                                                                          {"a2s", RecurrenceAlgorithm::a2s},
                                                                          {"a2d", RecurrenceAlgorithm::a2d},
                                                                          {"a2sd", RecurrenceAlgorithm::a2sd}}};
inline constexpr Words<StoragePrecision, 2> kStoragePrecisionWords{
    {{"double", StoragePrecision::double_precision}, {"single", StoragePrecision::single_precision}}};
inline constexpr Words<PoissonSolver, 5> kPoissonSolverWords{
    {{"auto", PoissonSolver::automatic},
     {"fast_diagonalisation", PoissonSolver::fast_diagonalisation},
     {"multigrid_cg", PoissonSolver::multigrid_cg},
     {"jacobi_cg", PoissonSolver::jacobi_cg},
     {"cg", PoissonSolver::cg}}};
inline constexpr Words<PoissonOperator, 4> kPoissonOperatorWords{{{"auto", PoissonOperator::automatic},
                                                                  {"matrix_free", PoissonOperator::matrix_free},
                                                                  {"csr", PoissonOperator::csr},
                                                                  {"ell", PoissonOperator::ell}}};
inline constexpr Words<ReductionChoice, 2> kReductionWords{
    {{"standard", ReductionChoice::standard}, {"single", ReductionChoice::single}}};
inline constexpr Words<ConvergenceMeasure, 7> kConvergenceMeasureWords{{{"auto", ConvergenceMeasure::automatic},
                                                                        {"error_max", ConvergenceMeasure::error_max},
                                                                        {"error_l2", ConvergenceMeasure::error_l2},
                                                                        {"error_h", ConvergenceMeasure::error_h},
                                                                        {"value", ConvergenceMeasure::value},
                                                                        {"residual", ConvergenceMeasure::residual},
                                                                        {"self", ConvergenceMeasure::self}}};
inline constexpr Words<BackendChoice, 3> kBackendWords{
    {{"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}}};

template <class Enum, std::size_t n>
std::vector<std::string> word_list(const Words<Enum, n>& words) {
  std::vector<std::string> list;
  for (const auto& [word, value] : words) list.emplace_back(word);
  return list;
}

// `word` has been checked against the table of keys.
template <class Enum, std::size_t n>
Enum choice_of(const Words<Enum, n>& words, std::string_view word) {
  for (const auto& [known, value] : words)
    if (known == word) return value;
  throw ShapeError("a choice that the table of keys does not know");
}

template <class Enum, std::size_t n>
std::string word_of(const Words<Enum, n>& words, Enum value) {
  for (const auto& [word, known] : words)
    if (known == value) return std::string(word);
  throw ShapeError("a choice without a word in the case file");
}

}  // namespace gwrm::casefile
