#include "problems/data_files/file_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/errors.hpp"
#include "output/checksum.hpp"
#include "output/data_file.hpp"
#include "problems/data_files/answer_function.hpp"

namespace gwrm {
namespace {

// "/u" of a result of gwrm: the samples of u, not its series.
bool is_path(const std::string& dataset) {
  return dataset.rfind('/', 0) == 0;
}

bool depends_on(const expression::DataFunction& function, const std::string& axis) {
  const std::vector<std::string>& axes = function.axes();
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

class FileData : public expression::DataFunction {
 public:
  FileData(const CaseFormat& format, const Case& the_case, const DataCase& data) : format_(format), data_(data) {
    frame_.domain = the_case.domain;
    axes_ = data.axes;
    if (axes_.empty()) axes_ = loaded().function->axes();
  }

  const std::string& checksum() const { return data_.checksum.empty() ? checksum_ : data_.checksum; }

  const std::vector<std::string>& axes() const override { return axes_; }
  int highest_order(std::size_t axis) const override { return loaded().function->highest_order(axis); }
  std::string why_no_higher_order(std::size_t axis) const override {
    return loaded().function->why_no_higher_order(axis);
  }
  std::vector<double> sampling(std::size_t axis) const override { return loaded().function->sampling(axis); }
  void on_grid(std::span<const std::span<const double>> points, std::span<const int> orders,
               std::span<double> values) const override {
    loaded().function->on_grid(points, orders, values);
  }
  void at_points(std::span<const std::span<const double>> points, std::span<const int> orders,
                 std::span<double> values) const override {
    loaded().function->at_points(points, orders, values);
  }

  const DataReport& report() const { return loaded().report; }

 private:
  const ReportedFunction& loaded() const {
    const std::lock_guard lock(mutex_);
    if (!loaded_) {
      ReportedFunction made = load();
      if (!axes_.empty() && made.function->axes() != axes_)
        fail(fmt::format("the data depend on {}, and `axes` says {}", fmt::join(made.function->axes(), ", "),
                         fmt::join(axes_, ", ")));
      loaded_ = std::move(made);
    }
    return *loaded_;
  }

  ReportedFunction load() const {
    const std::string name = data_.file + (data_.dataset.empty() ? "" : ", " + data_.dataset);
    const auto refuse = [&](const std::string& message) {  // which may name the file and the line already
      fail(message.rfind(data_.file + ":", 0) == 0 ? message : name + ": " + message);
    };
    try {
      ReportedFunction made =
          is_gwrm_result(data_.file) && !is_path(data_.dataset) ? function_of_answer(format_, frame_, data_) : table();
      for (const AxisCase& axis : frame_.domain)
        if (data_.at_one_time && axis.axis.kind == AxisKind::time && depends_on(*made.function, axis.axis.name))
          throw CaseError(
              fmt::format("these values depend on {0}, and an initial value does not: say which time is "
                          "meant, at: {{{0}: ..}}",
                          axis.axis.name));
      made.report.text = name + ": " + made.report.text;
      check_checksum();
      return made;
    } catch (const CaseError& error) {
      refuse(error.what());
    } catch (const OutputError& error) {
      refuse(error.what());
    }
    return {};
  }

  void check_checksum() const {
    checksum_ = checksum_of_file(data_.file);
    if (!data_.checksum.empty() && checksum_ != data_.checksum)
      throw CaseError(
          fmt::format("this is not the file that was read first: its checksum is {}, and `checksum` of this case {}: "
                      "bring that file back, or take this one as it is with `checksum: \"\"`",
                      checksum_, data_.checksum));
  }

  // Under the names of the domain.
  ReportedFunction table() const {
    DataTable table = read_data_file(data_.file, data_.dataset, known_names());
    for (DataTable::Dimension& dimension : table.dimensions) dimension.name = name_in_domain(data_, dimension.name);
    std::vector<std::pair<std::string, double>> at = data_.at;
    for (auto& [name, z] : at) name = name_in_domain(data_, name);
    return function_of_table(frame_, table, at);
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    for (const AxisCase& axis : frame_.domain) {
      const auto other = std::find_if(data_.dimensions.begin(), data_.dimensions.end(),
                                      [&](const auto& renamed) { return renamed.first == axis.axis.name; });
      names.push_back(other == data_.dimensions.end() ? axis.axis.name : other->second);
    }
    for (const auto& [name, z] : data_.at)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
  }

  [[noreturn]] void fail(const std::string& message) const { throw_case_error(data_.where, 0, message); }

  const CaseFormat& format_;
  Case frame_;  // the domain alone
  DataCase data_;
  std::vector<std::string> axes_;
  mutable std::mutex mutex_;
  mutable std::optional<ReportedFunction> loaded_;
  mutable std::string checksum_;
};

const FileData* file_of(const DataCase& data) {
  return dynamic_cast<const FileData*>(data.function.get());
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

// Whether the answer depends on them: where the equations are the module's own, they are taken to.
bool is_needed(const Case& the_case, const std::string& name) {
  for (const NamedExpression& definition : the_case.definitions)
    if (definition.name != name && names(definition.text.text, name) && is_needed(the_case, definition.name))
      return true;
  const auto in = [&](const SourceText& text) { return names(text.text, name); };
  if (the_case.equations.empty()) {
    const auto only_there = [&](const NamedExpression& item) { return item.text.text == name; };
    return std::none_of(the_case.exact.begin(), the_case.exact.end(), only_there);
  }
  return std::any_of(the_case.equations.begin(), the_case.equations.end(), in) ||
         std::any_of(the_case.boundary.begin(), the_case.boundary.end(), in) ||
         std::any_of(the_case.initial.begin(), the_case.initial.end(),
                     [&](const InitialCase& initial) { return in(initial.text); });
}

std::string call_text(const DataCase& data) {
  return data.axes.empty() ? data.name : fmt::format("{}({})", data.name, fmt::join(data.axes, ", "));
}

}  // namespace

std::shared_ptr<const expression::DataFunction> load_data_file(const CaseFormat& format, const Case& the_case,
                                                               DataCase& data) {
  auto made = std::make_shared<const FileData>(format, the_case, data);
  data.checksum = made->checksum();
  return made;
}

std::vector<std::pair<std::string, std::string>> describe_data_files(const Case& the_case) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const DataCase& data : the_case.data) {
    const FileData* const file = file_of(data);
    if (file == nullptr) continue;
    const DataReport& report = file->report();
    lines.emplace_back(call_text(data),
                       report.text + (std::isnan(report.error) ? std::string(", of unknown error")
                                                               : fmt::format(", error {:.1e}", report.error)));
  }
  return lines;
}

void check_data_files(const Case& the_case, double tolerance, std::vector<Check>& checks,
                      std::vector<std::string>& warnings) {
  for (const DataCase& data : the_case.data) {
    const FileData* const file = file_of(data);
    if (file == nullptr) continue;
    const DataReport& report = file->report();
    const std::string what = fmt::format("{} of {}", call_text(data), report.text);
    const bool needed = is_needed(the_case, data.name);
    if (!report.caution.empty()) warnings.push_back(what + ": " + report.caution);
    if (std::isnan(report.error) && report.caution.empty()) {
      warnings.push_back(what + ": how accurate it is has not been estimated; the answer is no better than it");
      continue;
    }
    Check check{"data file", what, report.error, tolerance, needed};
    if (needed && !check.passed())
      check.subject += std::isnan(report.error)
                           ? "; solve that case so that it passes"
                           : fmt::format(
                                 "; the answer is no better than its data: verification: {{tolerance: {:.0e}}}, "
                                 "or data on more points",
                                 2.0 * report.error);
    checks.push_back(std::move(check));
  }
}

}  // namespace gwrm
