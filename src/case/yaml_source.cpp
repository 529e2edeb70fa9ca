#include "case/yaml_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/text_column.hpp"

namespace gwrm::casefile {
namespace {

// Length of the UTF-8 sequence at `i`, 0 if it is not one (RFC 3629: no overlong forms, no surrogates, up to U+10FFFF).
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(i), second = byte(i + 1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(i + 1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    return follows(i + 1) && follows(i + 2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
    return follows(i + 1) && follows(i + 2) && follows(i + 3) ? 4 : 0;
  }
  return 0;
}

std::string with_plain_line_ends(std::string text) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result += text[i];
  return result;
}

[[noreturn]] void fail_at(const YamlSource& source, int line, std::size_t column, const std::string& message) {
  throw_case_error(source.at(line, static_cast<int>(column)), 0, message);
}

// yaml-cpp takes some control characters for the end of the file and passes broken UTF-8 on, so both are refused here.
void check_characters(const YamlSource& source) {
  const std::string& text = source.text;
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || (byte < 0x20 && byte != '\n' && byte != '\t')) {
      // The line itself may be anything: show nothing of it.
      const int column = text_column(std::string_view(text).substr(line_start), i - line_start);
      const std::string what =
          fmt::format("byte 0x{:02x} does not belong in a text file: a case file is YAML in UTF-8", byte);
      throw CaseError(fmt::format("{}:{}:{}: error: {}", source.name, line, column, what),
                      {source.name, line, column, what});
    }
    if (byte == '\n') {
      ++line;
      line_start = i + 1;
    } else if (i - line_start >= kMaxLineBytes) {
      const std::string what = fmt::format("a line longer than {} characters: break it", kMaxLineBytes);
      throw CaseError(fmt::format("{}:{}: error: {}", source.name, line, what), {source.name, line, 0, what});
    }
    i += length;
  }
}

void check_indentation(const YamlSource& source) {
  int number = 0;
  for (std::size_t begin = 0; begin < source.text.size();) {
    ++number;
    const std::size_t end = std::min(source.text.find('\n', begin), source.text.size());
    const std::string_view line = std::string_view(source.text).substr(begin, end - begin);
    const std::size_t first = line.find_first_not_of(" \t"), tab = line.find('\t');
    if (first != line.npos && line[first] != '#' && tab < first)
      fail_at(source, number, tab + 1, "a tab in the indentation: YAML allows spaces only");
    begin = end + 1;
  }
}

}  // namespace

std::string YamlSource::line(int number) const {
  if (number < 1 || number > static_cast<int>(line_starts.size())) return "";
  const std::size_t begin = line_starts[static_cast<std::size_t>(number) - 1];
  const std::size_t length = std::min(text.find('\n', begin), text.size()) - begin;
  return length > kMaxShownBytes ? "" : text.substr(begin, length);
}

SourceText YamlSource::at(int line_number, int column, const std::string& token) const {
  if (is_argument) return SourceText::from_argument(token.empty() ? text : token, name);
  return {token, name, line_number, column, line(line_number)};
}

bool is_utf8(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::shared_ptr<const YamlSource> make_source(std::string text, const std::string& name, bool is_argument) {
  if (text.size() > kMaxFileBytes)
    throw CaseError(fmt::format("{}: error: larger than {} bytes: this is not a case file", name, kMaxFileBytes));
  auto source = std::make_shared<YamlSource>();
  source->name = name;
  source->text = with_plain_line_ends(std::move(text));
  source->is_argument = is_argument;
  source->line_starts.push_back(0);
  for (std::size_t i = 0; i < source->text.size(); ++i)
    if (source->text[i] == '\n') source->line_starts.push_back(i + 1);
  check_characters(*source);
  check_indentation(*source);
  return source;
}

}  // namespace gwrm::casefile
