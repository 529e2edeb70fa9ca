// The words of the general keys; those of a problem module stand with its section.
#pragma once

#include "case/case.hpp"
#include "case/words.hpp"

namespace gwrm::casefile {

inline constexpr Words<MapKind, 2> kMapWords{{{"linear", MapKind::linear}, {"log", MapKind::log}}};
inline constexpr Words<const char*, 2> kBasisWords{{{kChebyshev, kChebyshev}, {kFourier, kFourier}}};
inline constexpr Words<GlobalisationChoice, 4> kGlobalisationWords{{{"natural", GlobalisationChoice::natural},
                                                                    {"none", GlobalisationChoice::none},
                                                                    {"sir", GlobalisationChoice::sir},
                                                                    {"anderson", GlobalisationChoice::anderson}}};
inline constexpr Words<LinearSolverChoice, 9> kLinearSolverWords{{{"auto", LinearSolverChoice::automatic},
                                                                  {"dense", LinearSolverChoice::dense},
                                                                  {"lagged", LinearSolverChoice::lagged},
                                                                  {"averaged", LinearSolverChoice::averaged},
                                                                  {"tensor", LinearSolverChoice::tensor},
                                                                  {"banded", LinearSolverChoice::banded},
                                                                  {"sparse", LinearSolverChoice::sparse},
                                                                  {"wavenumber", LinearSolverChoice::wavenumber},
                                                                  {"saddle", LinearSolverChoice::saddle}}};
inline constexpr Words<PredictorChoice, 2> kPredictorWords{
    {{"extrapolate", PredictorChoice::extrapolate}, {"constant", PredictorChoice::constant}}};
inline constexpr Words<ProductChoice, 6> kProductWords{{{"auto", ProductChoice::automatic},
                                                        {"pointwise", ProductChoice::pointwise},
                                                        {"direct", ProductChoice::direct},
                                                        {"transform", ProductChoice::transform},
                                                        {"monolithic", ProductChoice::monolithic},
                                                        {"stride", ProductChoice::stride}}};
inline constexpr Words<StatisticsChoice, 2> kStatisticsWords{
    {{"auto", StatisticsChoice::automatic}, {"none", StatisticsChoice::none}}};
inline constexpr Words<CoefficientsChoice, 2> kCoefficientsWords{
    {{"all", CoefficientsChoice::all}, {"none", CoefficientsChoice::none}}};
inline constexpr Words<ErrorFieldsChoice, 4> kErrorFieldsWords{{{"off", ErrorFieldsChoice::off},
                                                                {"on", ErrorFieldsChoice::on},
                                                                {"false", ErrorFieldsChoice::off},
                                                                {"true", ErrorFieldsChoice::on}}};
inline constexpr Words<ComplexChoice, 2> kComplexWords{
    {{"false", ComplexChoice::real}, {"true", ComplexChoice::complex}}};
inline constexpr Words<EstimateChoice, 3> kEstimateWords{
    {{"on", EstimateChoice::on}, {"off", EstimateChoice::off}, {"budget", EstimateChoice::budget}}};
inline constexpr Words<AfterLossChoice, 2> kAfterLossWords{
    {{"fail", AfterLossChoice::fail}, {"report", AfterLossChoice::report}}};
inline constexpr Words<BackendChoice, 3> kBackendWords{
    {{"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}}};

}  // namespace gwrm::casefile
