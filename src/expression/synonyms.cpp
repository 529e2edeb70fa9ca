// Words of other languages for what is written in another way here.
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "expression/names.hpp"

namespace gwrm::expression {
namespace {

struct Synonym {
  std::string_view theirs, ours;
};

constexpr std::string_view kLaplacian = "the Laplacian is written lap(u)";
constexpr std::string_view kNabla = "nabla is written grad(p), div(u), curl(u), lap(u)";
constexpr std::string_view kGradient = "the gradient is written grad(p)";
constexpr std::string_view kDivergence = "the divergence is written div(u)";
constexpr std::string_view kCurl = "the curl is written curl(u)";
constexpr std::string_view kIntegral = "the integral over the whole dimension x is written integral(e, x)";
constexpr std::string_view kMean = "a mean is written integral(e, x)/L, with the length L of the dimension x";
constexpr std::string_view kBiharmonic = "it is written lap(lap(u))";
constexpr std::string_view kNormal =
    "the derivative along the normal is that along the dimension of the wall, as dx(u)(x=1)";
constexpr std::string_view kReal = "the real part is written re(z)";
constexpr std::string_view kImaginary = "the imaginary part is written im(z)";
constexpr std::string_view kConjugate = "the complex conjugate is written conj(z)";
constexpr std::string_view kLength = "the length of a vector is written sqrt(dot(u, u))";

// In lower case, without '_'.
constexpr std::array kCalled = std::to_array<Synonym>({
    {"laplace", kLaplacian},
    {"laplacian", kLaplacian},
    {"lapl", kLaplacian},
    {"laplaceoperator", kLaplacian},
    {"del2", kLaplacian},
    {"nabla2", kLaplacian},
    {"gradient", kGradient},
    {"nabla", kNabla},
    {"del", kNabla},
    {"divergence", kDivergence},
    {"diverg", kDivergence},
    {"rot", kCurl},
    {"rotor", kCurl},
    {"rotation", kCurl},
    {"inner", "the product of two vectors is written dot(a, b)"},
    {"innerproduct", "the product of two vectors is written dot(a, b)"},
    {"scalarproduct", "the product of two vectors is written dot(a, b)"},
    {"dotproduct", "the product of two vectors is written dot(a, b)"},
    {"crossproduct", "the vector product is written cross(a, b)"},
    {"advect", "(u . grad) v is written dot(u, grad(v))"},
    {"advection", "(u . grad) v is written dot(u, grad(v))"},
    {"norm", kLength},
    {"length", kLength},
    {"magnitude", kLength},
    {"mag", kLength},
    {"ln", "the natural logarithm is written log(z)"},
    {"log10", "the logarithm to the base 10 is written log(z)/log(10)"},
    {"log2", "the logarithm to the base 2 is written log(z)/log(2)"},
    {"arcsin", "the inverse of sin is written asin(z)"},
    {"arccos", "the inverse of cos is written acos(z)"},
    {"arctan", "the inverse of tan is written atan(z)"},
    {"arctan2", "the angle of the point (x, y) is written atan2(y, x)"},
    {"sec", "it is written 1/cos(z)"},
    {"csc", "it is written 1/sin(z)"},
    {"cot", "it is written 1/tan(z)"},
    {"sech", "it is written 1/cosh(z)"},
    {"csch", "it is written 1/sinh(z)"},
    {"coth", "it is written 1/tanh(z)"},
    {"heaviside", "the step of height 1 at zero is written step(z)"},
    {"sgn", "the sign is written sign(z)"},
    {"signum", "the sign is written sign(z)"},
    {"fabs", "the absolute value is written abs(z)"},
    {"pow", "a power is written a^b"},
    {"power", "a power is written a^b"},
    {"square", "a square is written a^2"},
    {"sqr", "a square is written a^2"},
    {"integrate", kIntegral},
    {"int", kIntegral},
    {"quad", kIntegral},
    {"real", kReal},
    {"imag", kImaginary},
    {"conjugate", kConjugate},
    {"conjg", kConjugate},
    {"phase", "the phase is written arg(z)"},
    {"mean", kMean},
    {"average", kMean},
    {"avg", kMean},
    {"biharmonic", kBiharmonic},
    {"bilaplacian", kBiharmonic},
    {"bilaplace", kBiharmonic},
    {"vector", "a vector is written [a, b]"},
    {"vec", "a vector is written [a, b]"},
    {"dn", kNormal},
    {"normal", kNormal},
    {"normalderivative", kNormal},
    {"rand", "a smooth random function of space is written noise(amplitude, seed)"},
    {"randn", "a smooth random function of space is written noise(amplitude, seed)"},
    {"random", "a smooth random function of space is written noise(amplitude, seed)"},
});

std::string normal(const std::string& name) {
  std::string text;
  for (char c : name)
    if (c != '_') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string derivative_text(const std::string& axis, int order, const std::string& field) {
  const std::string ours = "d" + axis + "(" + field + (order > 1 ? ", " + std::to_string(order) : "") + ")";
  return order == 1 ? "the derivative along " + axis + " is written " + ours
                    : "the derivative of order " + std::to_string(order) + " along " + axis + " is written " + ours;
}

// `text` is `axis` n times: its order as a derivative.
int repeated(std::string_view text, const std::string& axis) {
  int n = 0;
  for (; text.starts_with(axis); text.remove_prefix(axis.size())) ++n;
  return text.empty() ? n : 0;
}

// x, xx, x2, dx, dx2, dxx: along which dimension how often; nothing for other texts.
std::optional<std::pair<std::string, int>> axis_and_order(const Symbols& symbols, std::string_view text) {
  if (text.starts_with('d') && symbols.find_axis(text) < 0) text.remove_prefix(1);
  for (const Axis& axis : symbols.axes) {
    if (const int n = repeated(text, axis.name); n > 0) return std::pair{axis.name, n};
    if (text.size() == axis.name.size() + 1 && text.starts_with(axis.name) && text.back() >= '1' && text.back() <= '8')
      return std::pair{axis.name, text.back() - '0'};
  }
  return std::nullopt;
}

// dxdx(u), dxdy(u): "dx(dy(u))".
std::string chained_derivatives(const Symbols& symbols, std::string_view name) {
  std::vector<std::string> axes;
  while (!name.empty()) {
    const auto axis = std::find_if(symbols.axes.begin(), symbols.axes.end(),
                                   [&](const Axis& a) { return name.starts_with("d" + a.name); });
    if (axis == symbols.axes.end()) return {};
    axes.push_back(axis->name);
    name.remove_prefix(1 + axis->name.size());
  }
  if (axes.size() < 2) return {};
  if (std::all_of(axes.begin(), axes.end(), [&](const std::string& axis) { return axis == axes.front(); }))
    return derivative_text(axes.front(), static_cast<int>(axes.size()), "u");
  std::string before, behind;
  for (const std::string& axis : axes) {
    before += "d" + axis + "(";
    behind += ")";
  }
  return "mixed derivatives are written " + before + "u" + behind;
}

// dx2(u), d2x(u), d2dx2(u), ddx(u), Dx(u), d_dx(u), partial_x(u), pdx(u).
std::string called_derivative(const Symbols& symbols, const std::string& name) {
  std::string plain;
  for (char c : name)
    if (c != '_') plain += c;
  if (const std::string chained = chained_derivatives(symbols, plain); !chained.empty()) return chained;
  for (std::string_view prefix : {"partial", "pd", "D2", "d2", "D", "d"}) {
    if (!plain.starts_with(prefix)) continue;
    const auto along = axis_and_order(symbols, std::string_view(plain).substr(prefix.size()));
    if (!along) continue;
    return derivative_text(along->first, std::max(along->second, prefix.back() == '2' ? 2 : 1), "u");
  }
  return {};
}

std::string any_derivative(const Symbols& symbols, const std::string& field) {
  const std::string& last = symbols.axes.back().name;
  return "a derivative is named by its dimension: d" + last + "(" + field + "), the second d" + last + "(" + field +
         ", 2)" + (symbols.find_axis("t") >= 0 && last != "t" ? ", along t dt(" + field + ")" : "");
}

// u_x, u_xx, uxx, dudx, du_dx, d2udx2, the du of du/dx: of an unknown or a definition, as a plain name.
std::string plain_derivative(const Symbols& symbols, const std::string& name) {
  std::vector<std::string> differentiable;
  for (const Field& field : symbols.fields) differentiable.push_back(field.name);
  for (const Definition& definition : symbols.definitions) differentiable.push_back(definition.name);
  for (const std::string& field : differentiable)
    for (const std::string& prefix :
         {field + "_", field, "d" + field, "d2" + field, "d" + field + "_", "d2" + field + "_"}) {
      if (!name.starts_with(prefix) || (prefix == field && field.size() > 1)) continue;  // longer: a slip of the pen
      const std::string rest = name.substr(prefix.size());
      const bool is_divided = prefix != field + "_" && prefix != field;
      if (is_divided && rest.empty()) return any_derivative(symbols, field);
      if (is_divided && !rest.starts_with("d")) continue;  // du_dx, not du_x
      if (const auto along = axis_and_order(symbols, rest)) return derivative_text(along->first, along->second, field);
    }
  return {};
}

}  // namespace

std::string synonym_text(const Symbols& symbols, const std::string& name, bool called) {
  if (symbols.axes.empty()) return {};
  const std::string word = normal(name);
  if (!called) {
    if (name == "e" && symbols.find_constant("E") == nullptr) return "the base of the exponential is written exp(1)";
    if (symbols.has_complex() && (name == "I" || name == "j" || name == "J")) return "the imaginary unit is written i";
    if (name == "inf" || name == "nan") return "only finite numbers are known here";
    for (const Synonym& synonym : kCalled)  // nabla^2 u, laplace u; other words may be constants that are missing
      if (word == synonym.theirs && (synonym.ours == kLaplacian || synonym.ours == kNabla))
        return std::string(synonym.ours);
    return plain_derivative(symbols, name);
  }
  for (const Synonym& synonym : kCalled)
    if (word == synonym.theirs) return std::string(synonym.ours);
  static constexpr std::array kDerivatives =
      std::to_array<std::string_view>({"d", "diff", "deriv", "derivative", "differentiate", "partial", "pd", "pdiff"});
  if (std::find(kDerivatives.begin(), kDerivatives.end(), word) != kDerivatives.end())
    return any_derivative(symbols, "u");
  return called_derivative(symbols, name);
}

}  // namespace gwrm::expression
