// What tests of the device's windows share: a system on the device, random data there and back, its solution by
// Newton's method on both sides.
#pragma once

#include "weighted_residual/device/device_window.cuh"
//
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/run_time_compiler.hpp"
#include "solver/newton.hpp"
#include "weighted_residual/assembled.hpp"
#include "weighted_residual/device/device_solver.hpp"
#include "weighted_residual/preconditioner/averaged_solver.hpp"
#include "weighted_residual/preconditioner/instantaneous_factors.hpp"

namespace gwrm::test {

using cuda::DeviceArray;

// Those that depend on time.
template <class Cases>
Cases in_time(Cases cases) {
  std::erase_if(cases, [](const auto& one) { return std::string(one.yaml).find("domain: {t:") == std::string::npos; });
  return cases;
}

// Largest difference over the largest value of b; infinite where a is no finite number.
inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i])) return INFINITY;
    difference = std::max(difference, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return difference / scale;
}

// M^-1 v with the CPU's factors of every time mode at z, as AveragedSolver does it; no time: one mode.
inline std::vector<double> apply_factors(SpatialFactors& factors, const SpatialLayout& layout, const TimeModes* modes,
                                         std::size_t n_modes, const std::vector<double>& v) {
  const Matrix rows = layout.gather(v, layout.rows);
  const Matrix right = modes == nullptr ? rows : Matrix(modes->forward * rows);
  Matrix solution(right.rows(), right.cols());
  std::vector<std::complex<double>> b(static_cast<std::size_t>(layout.size)), y(b.size());
  for (std::size_t k = 0; k < n_modes; ++k) {
    const auto re = static_cast<Index>(modes == nullptr ? 0 : 2 * k);
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = {right(re, static_cast<Index>(i)), modes == nullptr ? 0.0 : right(re + 1, static_cast<Index>(i))};
    factors.solve(k, b, y);
    for (std::size_t i = 0; i < b.size(); ++i) {
      solution(re, static_cast<Index>(i)) = y[i].real();
      if (modes != nullptr) solution(re + 1, static_cast<Index>(i)) = y[i].imag();
    }
  }
  std::vector<double> result(v.size());
  layout.scatter(modes == nullptr ? solution : Matrix(modes->backward * solution), layout.fields, result);
  return result;
}

template <class Parameter>
class OnDevice : public ::testing::TestWithParam<Parameter> {
 protected:
  // Random unknowns of this system; to be called by SetUp, which returns where IsSkipped().
  void assemble(const std::string& yaml, SpatialMethod method) {
    std::string why;
    if (find_device(why).empty()) GTEST_SKIP() << why;
    device_ = Context::create(BackendChoice::cuda, 1);
    tools_ = std::make_unique<cuda::DeviceTools>(*device_.device());
    a_ = std::make_unique<Assembled>(yaml);
    ASSERT_EQ(device_unsupported_reason(a_->model, a_->plan, a_->model.subdomains, method), "");
    x_ = random_vector(a_->system.size(), 5);
  }

  std::unique_ptr<cuda::DeviceWindow> make_window(bool interpreted = !run_time_compiler_missing().empty()) {
    return std::make_unique<cuda::DeviceWindow>(*tools_, programs_, a_->system, interpreted);
  }

  DeviceArray send(const std::vector<double>& v) {
    DeviceArray array = tools_->pool.take(v.size());
    device_.device()->upload(array.data(), v.data(), v.size());
    return array;
  }
  // What is not written shows as NaN.
  DeviceArray poisoned() {
    return send(std::vector<double>(static_cast<std::size_t>(a_->system.size()), std::nan("")));
  }
  std::vector<double> fetch(const DeviceArray& array) {
    std::vector<double> v(array.size());
    device_.device()->download(v.data(), array.data(), v.size());
    return v;
  }

  // Newton's method from zero on both sides, with up to `more` iterations on the device: the CPU knows the rounding of
  // its residual and ends there, the device when a correction has become small. Solved again `turns` times, with memory
  // that comes back from the pool: the same bits.
  void newton_agrees(SpatialMethod method, double tolerance, std::size_t more, int turns) {
    std::vector<double> expected(x_.size(), 0.0);
    AveragedSolver correction(a_->system, method);
    const NewtonOptions options;
    const NewtonResult on_cpu = newton(a_->system, expected, options, correction);
    const auto solver = make_device_solver(device_);
    std::vector<double> x(x_.size(), 0.0), again = x;
    const auto solve = [&](std::vector<double>& unknowns) {
      std::shared_ptr<DeviceFactors> none;
      return solver->solve(a_->system, unknowns, method, options, none, {});
    };
    const NewtonResult on_device = solve(x);
    ASSERT_EQ(on_device.status, on_cpu.status) << on_device.detail << " / " << on_cpu.detail;
    if (!succeeded(on_cpu.status)) return;
    EXPECT_LE(on_device.iterations.size(), on_cpu.iterations.size() + more);
    EXPECT_LE(relative_difference(x, expected), tolerance);
    for (int turn = 0; turn < turns; ++turn) {
      std::fill(again.begin(), again.end(), 0.0);
      solve(again);
      EXPECT_EQ(again, x) << "two solves differ";
    }
    const DeviceUse use = solver->use();
    EXPECT_GT(use.bytes_sent, 0u);
    EXPECT_GT(use.bytes_received, 2 * x.size() * sizeof(double));
  }

  // The equations of one time: rows, products, preconditioner, and solves.
  void equations_at_one_time_agree() {
    constexpr double kLength = 0.01;
    ShortWindow short_window(a_->context, a_->model, a_->plan, a_->discretisation.subdomains(),
                             std::vector<double>(a_->model.axes.size(), 0.37), 1, 0.7 - kLength, 0.7, a_->state);
    const auto solver = make_device_solver(device_);
    const auto on_device = solver->instantaneous(short_window.system, short_window.layout, SpatialMethod::wavenumber);
    const auto on_cpu = instantaneous_on_cpu(short_window.system, short_window.layout);
    EXPECT_LE(relative_difference(on_device->rows(), on_cpu->rows()), 3e-13);
    const LuStatus status = on_cpu->factor();
    ASSERT_EQ(on_device->factor(), status);
    if (status != LuStatus::regular) return;
    const std::vector<double> b = random_vector(short_window.system.size(), 7);
    const auto image = [&](InstantaneousSystem& system, auto operation) {
      std::vector<double> y(b.size());
      (system.*operation)(b, y);
      return y;
    };
    const auto agree = [&](auto operation, double tolerance) {
      const std::vector<double> once = image(*on_device, operation);
      EXPECT_LE(relative_difference(once, image(*on_cpu, operation)), tolerance);
      EXPECT_EQ(image(*on_device, operation), once) << "two applications differ";
    };
    agree(&InstantaneousSystem::apply, 1e-12);
    agree(&InstantaneousSystem::precondition, 1e-10);
    const auto solution = [&](InstantaneousSystem& system) {
      const InstantaneousSolution found = solve_instantaneous(system, b, 1e-13, [](std::span<const double> values) {
        double size = 0.0;
        for (double value : values) size = std::max(size, std::abs(value));
        return size;
      });
      EXPECT_LE(found.change, 1e-10);
      return found.x;
    };
    EXPECT_LE(relative_difference(solution(*on_device), solution(*on_cpu)), 1e-10);
  }

  Context device_ = Context::create(BackendChoice::cpu, 1);
  std::unique_ptr<cuda::DeviceTools> tools_;
  cuda::DevicePrograms programs_;
  std::unique_ptr<Assembled> a_;
  std::vector<double> x_;
};

}  // namespace gwrm::test
