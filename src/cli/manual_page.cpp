#include "cli/manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/errors.hpp"
#include "core/version.hpp"

namespace gwrm::cli {
namespace {

// Nothing in it is a request or an escape, and a hyphen is the character that one types.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (!result.empty() && (result.front() == '.' || result.front() == '\'')) result.insert(0, "\\&");
  return result;
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

bool is_option(const OptionDescription& described) {
  return described.names.front().front() == '-';
}

std::string entry(const OptionDescription& described) {
  std::string names;
  for (const std::string& name : described.names)
    names += (names.empty() ? "" : ", ") + (is_option(described) ? bold(name) : italic(name));
  if (is_option(described) && !described.value.empty()) names += " " + italic(described.value);
  std::string words;
  for (const std::string& word : described.words)
    if (described.text.find(word) == std::string::npos) words += (words.empty() ? "" : ", ") + word;
  const std::string text = described.text + (words.empty() ? "" : " (" + words + ")");
  return ".TP\n" + names + "\n" + plain(text) + "\n";
}

// "gwrm run [options] [case]"
std::string synopsis(const std::string& program, const CommandDescription& command) {
  std::string text = bold(program + " " + command.name);
  if (!command.options.empty() || command.passes_on) text += " [" + italic("options") + "]";
  for (const OptionDescription& option : command.options)
    if (option.required) text += " " + bold(option.names.back()) + " " + italic(option.value);
  for (const OptionDescription& argument : command.arguments)
    text += argument.required ? " " + italic(argument.names.front()) : " [" + italic(argument.names.front()) + "]";
  return text;
}

// Those that every command has which takes options itself.
std::vector<OptionDescription> common_options(const CommandLineDescription& line) {
  const auto own = std::find_if(line.commands.begin(), line.commands.end(),
                                [](const CommandDescription& command) { return !command.passes_on; });
  if (own == line.commands.end()) return {};
  std::vector<OptionDescription> common = own->options;
  for (const CommandDescription& command : line.commands)
    if (!command.passes_on)
      std::erase_if(common, [&](const OptionDescription& option) {
        return std::find(command.options.begin(), command.options.end(), option) == command.options.end();
      });
  return common;
}

const std::array<std::pair<ExitStatus, const char*>, 11> kStatuses{{
    {ExitStatus::converged, "converged, and every check of the verification passed"},
    {ExitStatus::internal_error, "an internal error: please report it"},
    {ExitStatus::usage, "mistake in the command line or the case file"},
    {ExitStatus::not_converged, "Newton did not converge"},
    {ExitStatus::singular, "the linear system is singular, or its iteration does not converge"},
    {ExitStatus::not_finite, "a NaN or Inf turned up"},
    {ExitStatus::unresolved,
     "the answer does not meet the tolerances of `verification`, or `resolution.tolerance` cannot be met"},
    {ExitStatus::resources, "too little memory, or no usable device"},
    {ExitStatus::output, "a file cannot be written or read"},
    {ExitStatus::not_estimated, "every check passed, but the error of the answer could not be estimated"},
    {ExitStatus::interrupted, "interrupted"},
}};

}  // namespace

std::string manual_page(const CommandLineDescription& line) {
  const std::string purpose = line.text.substr(line.text.find(": ") + 2);  // behind "gwrm: "
  std::string name = line.name;
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
  std::string text = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n", name, line.name, plain(version()));
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", line.name, plain(purpose));
  for (const CommandDescription& command : line.commands) text += synopsis(line.name, command) + "\n.br\n";
  text +=
      ".SH DESCRIPTION\nResults go to the standard output, the log to the standard error. The language of case files "
      "and everything else is described in the folder docs of the source.\n";
  text += ".SH COMMANDS\n";
  const std::vector<OptionDescription> common = common_options(line);
  for (const CommandDescription& command : line.commands) {
    text += ".SS " + synopsis(line.name, command) + "\n" + plain(command.text) + "\n";
    for (const OptionDescription& argument : command.arguments) text += entry(argument);
    for (const OptionDescription& option : command.options)
      if (std::find(common.begin(), common.end(), option) == common.end()) text += entry(option);
  }
  text += ".SH OPTIONS OF THE COMMANDS\n";
  for (const OptionDescription& option : common) text += entry(option);
  text += ".SH OPTIONS WITHOUT A COMMAND\n";
  for (const OptionDescription& option : line.options) text += entry(option);
  text += ".SH EXIT STATUS\n";
  for (const auto& [status, meaning] : kStatuses)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(status), plain(meaning));
  return text;
}

}  // namespace gwrm::cli
