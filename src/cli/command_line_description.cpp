#include "cli/command_line_description.hpp"

#include <CLI/CLI.hpp>

namespace gwrm::cli {
namespace {

// "TEXT:{auto,cpu,cuda}" -> auto, cpu, cuda: CLI11 keeps the words of IsMember in the name of the type alone.
std::vector<std::string> words_of(const std::string& type) {
  const std::size_t begin = type.find(":{"), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return CLI::detail::split(type.substr(begin + 2, end - begin - 2), ',');
}

OptionDescription describe(const CLI::Option& option) {
  OptionDescription described;
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  if (option.get_positional()) described.names.push_back(option.get_name(true));
  const std::string type = option.get_type_name();
  if (option.get_type_size() != 0) {
    described.value = type.substr(0, type.find(':'));
    described.words = words_of(type);
  }
  described.text = option.get_description();
  described.required = option.get_required();
  described.repeatable = option.get_expected_max() > 1 || option.get_items_expected_max() > 1;
  return described;
}

}  // namespace

CommandLineDescription describe(const CLI::App& app) {
  CommandLineDescription line{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) line.options.push_back(describe(*option));
  for (const CLI::App* command : app.get_subcommands({})) {
    CommandDescription described{
        command->get_name(), command->get_description(), {}, {}, command->get_prefix_command()};
    for (const CLI::Option* option : command->get_options())
      (option->get_positional() ? described.arguments : described.options).push_back(describe(*option));
    line.commands.push_back(std::move(described));
  }
  return line;
}

}  // namespace gwrm::cli
