// Real Fourier transforms by FFTW of a batch of fields on a periodic line or rectangle.
//
//   u(x, y) = sum_k U_k exp(i (kx x + ky y)),  kx = 2 pi p / Lx, p = 0 .. nx/2 (the rest by conjugation), ky of both
//   signs
//
// Modes carry the factor 1: `forward` divides by the number of points (through `scale`, which its caller multiplies
// with, so that no pass is spent on it). Values are (field, y, x), modes (field, ky, kx), rows contiguous. On a line ny
// = 1. FFTW is under the GPL: this program is a peer of its own and no part of gwrm.
#pragma once

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <vector>

namespace etdrk4 {

using Complex = std::complex<double>;

// Points and modes of one field.
struct Grid {
  int nx, ny;                              // points along each axis, even; ny = 1 on a line
  double start, length;                    // both axes: [start, start + length)
  int half() const { return nx / 2 + 1; }  // modes along x
  int n_points() const { return nx * ny; }
  int n_modes() const { return half() * ny; }
  double scale() const { return 1.0 / n_points(); }
  double x(int i) const { return start + length * i / nx; }
  double y(int j) const { return start + length * j / ny; }
  static int signed_index(int j, int n) { return j <= n / 2 ? j : j - n; }
  double wavenumber(int p) const { return 2 * std::numbers::pi / length * p; }
  double kx(int i) const { return wavenumber(i); }
  double ky(int j) const { return wavenumber(signed_index(j, ny)); }
  // An odd derivative of the highest mode has no value on the grid.
  double odd_kx(int i) const { return 2 * i == nx ? 0 : kx(i); }
  double odd_ky(int j) const { return ny > 1 && 2 * j == ny ? 0 : ky(j); }
};

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : data_(static_cast<T*>(fftw_malloc(size * sizeof(T))), &fftw_free) {
    std::fill_n(data_.get(), size, T{});
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  std::unique_ptr<T, void (*)(void*)> data_;
};

// Values and modes of `count` fields and the plans between them. `backward` destroys the modes.
class PeriodicTransform {
 public:
  PeriodicTransform(const Grid& grid, int count, unsigned effort)
      : grid_(grid),
        values_(static_cast<std::size_t>(count) * grid.n_points()),
        modes_(static_cast<std::size_t>(count) * grid.n_modes()) {
    const std::array<int, 2> sizes = {grid.ny, grid.nx};
    const int rank = grid.ny > 1 ? 2 : 1;
    const int* n = sizes.data() + (2 - rank);
    auto* modes = reinterpret_cast<fftw_complex*>(modes_.data());
    forward_ = fftw_plan_many_dft_r2c(rank, n, count, values_.data(), nullptr, 1, grid.n_points(), modes, nullptr, 1,
                                      grid.n_modes(), effort);
    backward_ = fftw_plan_many_dft_c2r(rank, n, count, modes, nullptr, 1, grid.n_modes(), values_.data(), nullptr, 1,
                                       grid.n_points(), effort);
  }
  ~PeriodicTransform() {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
  }
  PeriodicTransform(const PeriodicTransform&) = delete;
  PeriodicTransform& operator=(const PeriodicTransform&) = delete;

  void forward() { fftw_execute(forward_); }
  void backward() { fftw_execute(backward_); }
  double* values(int field) { return values_.data() + static_cast<std::size_t>(field) * grid_.n_points(); }
  Complex* modes(int field) { return modes_.data() + static_cast<std::size_t>(field) * grid_.n_modes(); }

 private:
  Grid grid_;
  Buffer<double> values_;
  Buffer<Complex> modes_;
  fftw_plan forward_, backward_;
};

}  // namespace etdrk4
