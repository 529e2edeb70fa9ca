// The command line as plain data, read from its declaration to CLI11 (command_line.hpp): what completions and manual
// page are made from.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gwrm::cli {

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--output"; of a positional argument its name alone: "case"
  std::string value;               // what stands behind it: "FILE", "KEY=VALUE", ..; empty: nothing
  std::vector<std::string> words;  // the only values it takes; none: any
  std::string text;
  bool required = false;
  bool repeatable = false;

  bool is_file() const { return value == "FILE"; }
  bool operator==(const OptionDescription&) const = default;
};

struct CommandDescription {
  std::string name, text;
  std::vector<OptionDescription> arguments;  // in their order
  std::vector<OptionDescription> options;
  bool passes_on = false;  // what is behind it is for another program
};

struct CommandLineDescription {
  std::string name, text;
  std::vector<OptionDescription> options;  // in front of a command
  std::vector<CommandDescription> commands;
};

CommandLineDescription describe(const CLI::App& app);

}  // namespace gwrm::cli
