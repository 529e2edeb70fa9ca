// A case in the program's own text: solved, looked at, evaluated, written.
#include <cstdio>
#include <gwrm/gwrm.hpp>

constexpr const char* kCase = R"yaml(
domain: {t: [0, 1], x: [0, 1]}
unknowns: [u]
equations: ["dt(u) = 0.1*dx(u,2)"]
initial: {u: "sin(pi*x)"}
boundary: ["u(x=0) = 0", "u(x=1) = 0"]
resolution: {degree: {t: 12, x: 16}}
output: {grid: {t: 3, x: 5}, fields: {u: u}}
)yaml";

int main() try {
  const auto heat = gwrm::api::Case::from_text(kCase, "heat", {{"verification.residual", "1e-8"}});
  for (const auto& [name, value] : heat.check().lines) std::printf("%s: %s\n", name.c_str(), value.c_str());
  const auto result = heat.run({.progress = [](double done, const auto&) { std::printf("%.0f %%\n", 100 * done); }});
  for (const auto& check : result.checks())
    std::printf("%s %s: %.1e %s\n", check.kind.c_str(), check.subject.c_str(), check.value, check.ok ? "ok" : "FAIL");
  std::printf("u(1, 1/2) = %.12f\n", result.evaluate("u", {{"t", {1.0}}, {"x", {0.5}}}).values[0]);
  std::printf("u sampled at t = 1: %.12f in the middle\n", result.field("u").values[12]);
  result.write("heat.h5", true);
  return result.exit_status();
} catch (const gwrm::api::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return error.exit_status();
}
