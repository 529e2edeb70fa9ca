#include "case/distribution_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "case/choices.hpp"
#include "case/key_specs.hpp"
#include "case/resolved_text.hpp"

namespace gwrm::casefile {
namespace {

enum class Word { normal, lognormal, uniform, beta };
constexpr Words<Word, 4> kDistributionWords{
    {{"normal", Word::normal}, {"lognormal", Word::lognormal}, {"uniform", Word::uniform}, {"beta", Word::beta}}};

// All numbers of distributions, and the sets of keys that make each; the first that one of its numbers belongs to is
// meant.
constexpr std::array kNumbers = {"mean", "deviation", "mu", "sigma", "a", "b"};
struct NumberSet {
  Word word;
  std::vector<std::string> keys;
};
const std::vector<NumberSet>& number_sets() {
  static const std::vector<NumberSet> all = {
      {Word::normal, {"mean", "deviation"}},    {Word::lognormal, {"mu", "sigma"}},
      {Word::lognormal, {"mean", "deviation"}}, {Word::uniform, {"range"}},
      {Word::beta, {"range", "a", "b"}},        {Word::beta, {"range", "mean", "deviation"}}};
  return all;
}

std::string forms_text(Word word) {
  std::vector<std::string> texts;
  for (const NumberSet& form : number_sets())
    if (form.word == word) texts.push_back(fmt::format("{}", fmt::join(form.keys, ", ")));
  return fmt::format("{}", fmt::join(texts, ", or "));
}

bool is_number(const std::string& key) {
  return std::find(kNumbers.begin(), kNumbers.end(), key) != kNumbers.end();
}

const NumberSet& form_of(const YamlEntry& entry, Word word, const std::string& name) {
  const NumberSet* best = nullptr;
  std::size_t most = 0;
  for (const NumberSet& form : number_sets()) {
    if (form.word != word) continue;
    std::size_t n = 0;
    for (const std::string& key : form.keys) n += entry.value.find(key) != nullptr ? 1 : 0;
    if (best == nullptr || n > most) {
      best = &form;
      most = n;
    }
  }
  for (const YamlEntry& key : entry.value.entries) {
    const bool used = std::find(best->keys.begin(), best->keys.end(), key.key.text) != best->keys.end();
    if (used) continue;
    if (key.key.text == "range")
      key.key.fail(
          fmt::format("both range and distribution: {0}: a {0} parameter has no ends, leave `range` out "
                      "(a uniform and a beta one have)",
                      name));
    if (is_number(key.key.text))
      key.key.fail(
          fmt::format("`{}` is no number of distribution: {}, which has {}", key.key.text, name, forms_text(word)));
  }
  for (const std::string& key : best->keys)
    if (entry.value.find(key) == nullptr)
      entry.key.fail(fmt::format("distribution: {} lacks `{}`: it needs {}", name, key, forms_text(word)));
  return *best;
}

// Numbers of the variable from mean and standard deviation of the parameter itself.
Distribution lognormal_of_moments(const YamlEntry& entry, double mean, double deviation) {
  if (!(mean > 0.0))
    entry.value.find("mean")->mark.fail(fmt::format("a lognormal parameter is positive, its mean cannot be {}", mean));
  const double sigma = std::sqrt(std::log1p((deviation / mean) * (deviation / mean)));
  return Distribution::lognormal(std::log(mean) - 0.5 * sigma * sigma, sigma);
}

Distribution beta_of_moments(const YamlEntry& entry, double mean, double deviation, double lower, double upper) {
  if (!(mean > lower && mean < upper))
    entry.value.find("mean")->mark.fail(fmt::format("the mean {} is outside the range [{}, {}]", mean, lower, upper));
  const double m = (mean - lower) / (upper - lower), d = deviation / (upper - lower);
  const double sum = m * (1.0 - m) / (d * d) - 1.0;
  if (!(sum > 0.0))
    entry.value.find("deviation")
        ->mark.fail(fmt::format("no distribution on [{}, {}] with the mean {} has the deviation {}: it is below {:.6g}",
                                lower, upper, mean, deviation, (upper - lower) * std::sqrt(m * (1.0 - m))));
  return Distribution::beta(m * sum, (1.0 - m) * sum, lower, upper);
}

}  // namespace

std::vector<KeySpec> distribution_keys() {
  using namespace keys;
  return {
      choice("domain.*.distribution", "", word_list(kDistributionWords),
             "Of a parameter: how probable its values are. Its polynomials are those that are orthogonal for the "
             "density."),
      number("domain.*.mean", "The mean of a normal, lognormal or beta parameter."),
      positive("domain.*.deviation", "", "Its standard deviation."),
      number("domain.*.mu", "The mean of the logarithm of a lognormal parameter."),
      positive("domain.*.sigma", "", "The standard deviation of that logarithm."),
      positive("domain.*.a", "", "Of a beta parameter: the density is x^(a-1) (1-x)^(b-1), x from 0 to 1 over range."),
      positive("domain.*.b", "", "Of a beta parameter."),
  };
}

std::optional<Distribution> read_distribution(const CaseTree& file, const YamlEntry& entry, AxisKind kind,
                                              const Constants& constants) {
  const YamlNode* const chosen = entry.value.find("distribution");
  if (chosen == nullptr) {
    for (const YamlEntry& key : entry.value.entries)
      if (is_number(key.key.text))
        key.key.fail(fmt::format("`{}` belongs to a distribution: say which one, distribution: one of {}", key.key.text,
                                 fmt::join(word_list(kDistributionWords), ", ")));
    return std::nullopt;
  }
  const std::string& name = chosen->mark.text;
  if (kind != AxisKind::parameter)
    chosen->mark.fail(fmt::format("a distribution is for parameters, and `{}` is {}: leave it out", entry.key.text,
                                  kind == AxisKind::time ? "time" : "a direction of space"));
  const Word word = choice_of(kDistributionWords, name);
  const NumberSet& form = form_of(entry, word, name);
  if (const YamlNode* basis = entry.value.find("basis"))
    basis->mark.fail(
        "basis beside distribution: the polynomials are those that belong to the distribution, leave "
        "basis out");
  const YamlNode* const map = entry.value.find("map");
  const bool log = map != nullptr && choice_of(kMapWords, map->mark.text) == MapKind::log;
  if (map != nullptr && word != Word::uniform)
    map->mark.fail(
        fmt::format("map beside distribution: {}: leave it out (a lognormal parameter is expanded in its "
                    "logarithm, a uniform one with map: log is uniform there)",
                    name));
  const auto number = [&](const char* key) {
    return file.number_of(*entry.value.find(key), fmt::format("domain.*.{}", key), constants);
  };
  std::vector<double> ends = {0.0, 1.0};
  if (const YamlNode* range = entry.value.find("range")) ends = file.numbers_of(*range, "domain.*.range", constants);
  const bool by_moments = form.keys.back() == "deviation";
  switch (word) {
    case Word::normal:
      return Distribution::normal(number("mean"), number("deviation"));
    case Word::lognormal:
      return by_moments ? lognormal_of_moments(entry, number("mean"), number("deviation"))
                        : Distribution::lognormal(number("mu"), number("sigma"));
    case Word::uniform:
      return log ? Distribution::log_uniform(ends[0], ends[1]) : Distribution::uniform(ends[0], ends[1]);
    case Word::beta:
      break;
  }
  const Distribution beta = by_moments ? beta_of_moments(entry, number("mean"), number("deviation"), ends[0], ends[1])
                                       : Distribution::beta(number("a"), number("b"), ends[0], ends[1]);
  constexpr double kLeast = 1e-3, kMost = 1e6;  // beyond, all probability is at the ends or at one value
  for (const double each : {beta.first(), beta.second()})
    if (!(each >= kLeast && each <= kMost))
      entry.key.fail(
          fmt::format("the beta distribution of `{}` has a = {:.6g} and b = {:.6g}: both have to lie between "
                      "{} and {}",
                      entry.key.text, beta.first(), beta.second(), kLeast, kMost));
  return beta;
}

std::string distribution_text(const AxisCase& item) {
  const Axis& axis = item.axis;
  const bool log = axis.map == MapKind::log;
  const auto found = Distribution::of_basis(item.basis, axis.lower, axis.upper, log);
  if (!found) return {};
  const std::string first = number_text(found->first()), second = number_text(found->second()),
                    range = number_list({axis.lower, axis.upper}, 4);
  switch (found->kind()) {
    case Distribution::Kind::normal:
      return log ? fmt::format("{{distribution: lognormal, mu: {}, sigma: {}}}", first, second)
                 : fmt::format("{{distribution: normal, mean: {}, deviation: {}}}", first, second);
    case Distribution::Kind::uniform:
      return fmt::format("{{distribution: uniform, range: {}, map: {}}}", range, word_of(kMapWords, axis.map));
    case Distribution::Kind::beta:
      break;
  }
  return fmt::format("{{distribution: beta, range: {}, a: {}, b: {}}}", range, first, second);
}

}  // namespace gwrm::casefile
