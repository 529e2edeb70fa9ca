#include "cli/completions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gwrm::cli {
namespace {

// 'text' for a shell, with ' itself as `quote`: '\'' for bash and zsh, \' for fish.
std::string quoted(const std::string& text, const std::string& quote = "'\\''") {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? quote : std::string(1, c);
  return result + "'";
}

std::string with_backslashes(const std::string& text, const std::string& before) {
  std::string result;
  for (const char c : text) {
    if (before.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

std::vector<std::string> names_of(const std::vector<OptionDescription>& options) {
  std::vector<std::string> names;
  for (const OptionDescription& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// "  run:--backend) COMPREPLY=(..); return ;;" for options with a value. Where COMPREPLY stays empty the shell
// completes names of files.
std::string bash_values(const std::string& command, const std::vector<OptionDescription>& options) {
  std::string text;
  for (const OptionDescription& option : options) {
    if (option.value.empty()) continue;
    std::string patterns;
    for (const std::string& name : option.names)
      patterns += fmt::format("{}{}:{}", patterns.empty() ? "" : "|", command, name);
    const std::string reply = option.words.empty() ? ""
                                                   : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\")); ",
                                                                 fmt::join(option.words, " "));
    text += fmt::format("    {}) {}return ;;\n", patterns, reply);
  }
  return text;
}

std::string bash_script(const CommandLineDescription& line) {
  std::vector<std::string> commands;
  for (const CommandDescription& command : line.commands) commands.push_back(command.name);
  std::string values = bash_values("", line.options), options;
  for (const CommandDescription& command : line.commands) {
    values += bash_values(command.name, command.options);
    options += fmt::format("    {}) options='{}' ;;\n", command.name, fmt::join(names_of(command.options), " "));
  }
  return fmt::format(R"(# bash completion of {0}, made by `{0} --completions bash`
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= options= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${{COMP_WORDS[i]}} == -* ]] || {{ command=${{COMP_WORDS[i]}}; break; }}
  done
  # --backend=c comes as three words.
  if [[ $word == '=' ]]; then
    word=
  elif [[ $before == '=' ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case $command:$before in
{1}  esac
  case $command in
    '') options='{2}' ;;
{3}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -z $command ]]; then
    COMPREPLY=($(compgen -W '{4}' -- "$word"))
  fi
}}
complete -o bashdefault -o default -F _{0} {0}
)",
                     line.name, values, fmt::join(names_of(line.options), " "), options, fmt::join(commands, " "));
}

// '(-o --output)'{-o+,--output=}'[text]:FILE:_files' for _arguments.
std::string zsh_option(const OptionDescription& option) {
  const std::string text = "[" + with_backslashes(option.text, "[]:\\") + "]";
  std::string value;
  if (!option.value.empty())
    value = fmt::format(":{}:{}", with_backslashes(option.value, ":"),
                        option.is_file()       ? "_files"
                        : option.words.empty() ? " "
                                               : fmt::format("({})", fmt::join(option.words, " ")));
  std::vector<std::string> forms;
  for (const std::string& name : option.names)
    forms.push_back(name + (option.value.empty() ? "" : name.rfind("--", 0) == 0 ? "=" : "+"));
  const std::string all = forms.size() == 1 ? forms.front() : fmt::format("{{{}}}", fmt::join(forms, ","));
  const std::string front = option.repeatable ? "'*'" : fmt::format("'({})'", fmt::join(option.names, " "));
  return front + all + quoted(text + value);
}

std::string zsh_script(const CommandLineDescription& line) {
  std::string commands, cases, options;
  for (const OptionDescription& option : line.options) options += "    " + zsh_option(option) + " \\\n";
  for (const CommandDescription& command : line.commands) {
    commands += fmt::format("        {}\n", quoted(command.name + ":" + with_backslashes(command.text, ":\\")));
    std::string arguments;
    for (const OptionDescription& option : command.options) arguments += "            " + zsh_option(option) + " \\\n";
    for (const OptionDescription& argument : command.arguments)
      arguments += fmt::format("            {} \\\n", quoted(":" + argument.names.front() + ":_files"));
    cases += fmt::format("        {})\n          _arguments -s \\\n{}            {}\n          ;;\n", command.name,
                         arguments, command.passes_on ? "'*:file:_files'" : "&& return 0");
  }
  return fmt::format(R"(#compdef {0}
# zsh completion of {0}, made by `{0} --completions zsh`
_{0}() {{
  local context state state_descr line
  local -A opt_args
  _arguments -C \
{1}    '1:command:->command' '*::argument:->argument' && return 0
  case $state in
    command)
      local -a commands=(
{2}      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
{3}      esac
      ;;
  esac
}}
if [[ $funcstack[1] == _{0} ]]; then
  _{0} "$@"
else
  compdef _{0} {0}
fi
)",
                     line.name, options, commands, cases);
}

std::string fish_option(const std::string& name, const std::string& condition, const OptionDescription& option) {
  std::string text = fmt::format("complete -c {} -n {}", name, quoted(condition, "\\'"));
  for (const std::string& form : option.names)
    text += form.rfind("--", 0) == 0 ? " -l " + form.substr(2) : " -s " + form.substr(1);
  if (option.is_file())
    text += " -r -F";
  else if (!option.words.empty())
    text += fmt::format(" -x -a '{}'", fmt::join(option.words, " "));
  else if (!option.value.empty())
    text += " -x";
  return text + " -d " + quoted(with_backslashes(option.text, "\\"), "\\'") + "\n";
}

std::string fish_script(const CommandLineDescription& line) {
  const std::string none = "__fish_use_subcommand";
  std::string text = fmt::format("# fish completion of {0}, made by `{0} --completions fish`\n", line.name);
  text += fmt::format("complete -c {} -n '{}' -f\n", line.name, none);
  for (const OptionDescription& option : line.options) text += fish_option(line.name, none, option);
  for (const CommandDescription& command : line.commands) {
    text += fmt::format("complete -c {} -n '{}' -a {} -d {}\n", line.name, none, command.name,
                        quoted(with_backslashes(command.text, "\\"), "\\'"));
    for (const OptionDescription& option : command.options)
      text += fish_option(line.name, "__fish_seen_subcommand_from " + command.name, option);
  }
  return text;
}

}  // namespace

std::vector<std::string> completion_shells() {
  return {"bash", "zsh", "fish"};
}

std::string completions(const CommandLineDescription& line, const std::string& shell) {
  if (shell == "zsh") return zsh_script(line);
  if (shell == "fish") return fish_script(line);
  return bash_script(line);
}

}  // namespace gwrm::cli
