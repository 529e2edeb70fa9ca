// Distributions of uncertain numbers: parameters of a case (domain: {nu: {distribution: ..}}) and values of a sweep
// share these.
//
// Variable  s is normal, uniform or beta; the number is s itself, or exp(s): lognormal, log-uniform.
// normal    density exp(-(s - mean)^2/(2 deviation^2))/sqrt(2 pi deviation^2)
// uniform   1/(upper - lower) on [lower, upper]
// beta      x^(a - 1) (1 - x)^(b - 1)/B(a, b) of x = (s - lower)/(upper - lower)
// Accuracy  quantiles to rounding (normal_quantile), of beta to 1e-14 of the interval; moments in closed form.
#pragma once

#include <optional>
#include <string>

namespace gwrm {

// Names of bases (src/basis/orthogonal_basis.hpp), those with numbers as "hermite(1,0.1)".
inline constexpr const char* kHermite = "hermite";
inline constexpr const char* kLegendre = "legendre";
inline constexpr const char* kJacobi = "jacobi";

// x with Phi(x) = p, the inverse of the normal distribution, 0 < p < 1: formula 26.2.23 of M. Abramowitz and I. Stegun,
// Handbook of Mathematical Functions (1964), right to 4.5e-4, and two steps of Halley's method with erfc, to rounding.
double normal_quantile(double p);

// I_x(a, b), the distribution function of beta(a, b): the continued fraction 8.17.22 of the NIST Digital Library of
// Mathematical Functions, by Lentz's method.
double beta_distribution(double a, double b, double x);

class Distribution {
 public:
  enum class Kind { normal, uniform, beta };  // of the variable

  static Distribution normal(double mean, double deviation) { return {Kind::normal, false, mean, deviation}; }
  static Distribution lognormal(double mu, double sigma) { return {Kind::normal, true, mu, sigma}; }
  static Distribution uniform(double lower, double upper) { return {Kind::uniform, false, 0, 0, lower, upper}; }
  // of numbers with a logarithm between those of lower and upper, 0 < lower
  static Distribution log_uniform(double lower, double upper) { return {Kind::uniform, true, 0, 0, lower, upper}; }
  static Distribution beta(double a, double b, double lower, double upper) {
    return {Kind::beta, false, a, b, lower, upper};
  }

  Kind kind() const { return kind_; }
  bool of_logarithm() const { return of_logarithm_; }  // the number is exp(s)
  bool is_bounded() const { return kind_ != Kind::normal; }
  double first() const { return first_; }    // mean of s; a
  double second() const { return second_; }  // deviation of s; b

  // The number with the probability p of smaller ones, 0 < p < 1.
  double quantile(double p) const;
  // All but 1e-2 of the probability lies between these, half of that on each side: where answers are judged. A
  // polynomial that is right to a root mean square of e in the density is right to some 3 e there.
  double likely_lower() const { return quantile(kUnlikely / 2.0); }
  double likely_upper() const { return quantile(1.0 - kUnlikely / 2.0); }
  static constexpr double kUnlikely = 1e-2;
  // And all but 1e-3 between these: of an unbounded distribution the values that may be asked for.
  double least() const { return is_bounded() ? lower_ : quantile(kBeyond / 2.0); }
  double greatest() const { return is_bounded() ? upper_ : quantile(1.0 - kBeyond / 2.0); }
  static constexpr double kBeyond = 1e-3;
  // Polynomials of a normal variable grow like exp(x^2/4): above this degree those of statistics leave the range of
  // doubles.
  static constexpr int kMaxUnboundedDegree = 100;
  double mean() const;       // of the number
  double deviation() const;  // its standard deviation
  std::string name() const;  // "normal", "lognormal", "uniform", "log-uniform", "beta"
  // "normal(1, 0.1)": as sweeps write it, with all digits; the interval behind a and b of a beta distribution
  std::string text() const;

  // The name, among the bases of axes (basis/axis_basis.hpp), of the polynomials that are orthogonal for the density of
  // s: "hermite(1,0.1)", "legendre", "jacobi(2,5)". With the interval of the axis and its map it has all of the
  // distribution.
  std::string basis_name() const;
  // Back from there; nothing for names of other bases, and for numbers that are none of a distribution.
  static std::optional<Distribution> of_basis(const std::string& name, double lower, double upper, bool log_map);

 private:
  Distribution(Kind kind, bool of_logarithm, double first, double second, double lower = 0.0, double upper = 1.0)
      : kind_(kind), of_logarithm_(of_logarithm), first_(first), second_(second), lower_(lower), upper_(upper) {}

  Kind kind_;
  bool of_logarithm_;
  double first_, second_, lower_, upper_;
};

// The name of a basis without its numbers: "jacobi" of "jacobi(2,5)".
std::string family_of_basis(const std::string& name);

}  // namespace gwrm
