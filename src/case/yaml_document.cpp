#include "case/yaml_document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "yaml-cpp/eventhandler.h"

namespace gwrm::casefile {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

// True if " #" follows the plain scalar `value` that starts at `begin` of the raw text: a comment for YAML, perhaps not
// for the user. YAML folds line ends into single spaces, so blanks match blanks.
bool comment_follows(const std::string& raw, std::size_t begin, const std::string& value) {
  std::size_t p = begin;
  for (char c : value) {
    if (is_blank(c)) {
      while (p < raw.size() && is_blank(raw[p])) ++p;
    } else if (p < raw.size() && raw[p] == c) {
      ++p;
    } else {
      return false;
    }
  }
  const std::size_t end = p;
  while (p < raw.size() && (raw[p] == ' ' || raw[p] == '\t')) ++p;
  return p > end && p < raw.size() && raw[p] == '#';
}

// Builds the tree from the parser's events: unlike YAML::Node they tell quoted from plain, and each key's place.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const YamlSource> source) : source_(std::move(source)) {}

  YamlNode take_root() {
    if (odd_key_) odd_key_->fail("a key must be a name; put quotes around the text if it is an expression");
    return std::move(root_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++n_documents_ > 1) fail(mark, "a second YAML document: a case file holds one");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node = make(mark, "?", anchor, YamlNode::Kind::null);
    if (expects_key()) fail(mark, "expected a key in front of ':'");
    if (!stack_.empty()) node.mark = place_of_nothing(mark);
    place(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "YAML aliases (*name) are not used in case files; put quotes around the text if it is an expression");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(mark, tag, anchor, YamlNode::Kind::scalar);
    // yaml-cpp makes one byte of these two, which is no UTF-8.
    if (!is_utf8(value)) fail(mark, "the escapes \\_ and \\N are not read here: write the character itself");
    node.mark.text = value;
    node.plain = tag == "?";
    node.cut_by_comment = node.plain && comment_follows(source_->text, static_cast<std::size_t>(mark.pos), value);
    place(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(make(mark, tag, anchor, YamlNode::Kind::sequence), style);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(make(mark, tag, anchor, YamlNode::Kind::map), style);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    YamlNode node;
    bool flow = false;
    std::optional<Marked> key;  // of a map: read, its value still to come
    std::map<std::string, int> key_lines;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw_case_error(source_->at(mark.line + 1, mark.column + 1), 0, message);
  }

  YamlNode make(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
    if (anchor != 0)
      fail(mark, "YAML anchors (&name) are not used in case files; put quotes around the text if it is meant");
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(mark, "YAML tags (!name) are not used in case files; put quotes around the text if it is meant");
    if (++n_values_ > kMaxValues) fail(mark, fmt::format("more than {} values: this is not a case file", kMaxValues));
    YamlNode node;
    node.kind = kind;
    node.mark = {"", source_, mark.line + 1, mark.column + 1};
    node.in_flow = !stack_.empty() && stack_.back().flow;
    return node;
  }

  // A value that is not there is told at its key, or at the dash of its list; the parser is at what follows already.
  Marked place_of_nothing(const YAML::Mark& mark) const {
    const Frame& frame = stack_.back();
    if (frame.key) return *frame.key;
    const std::size_t dash = frame.flow || mark.pos < 1
                                 ? std::string::npos
                                 : source_->text.rfind('-', static_cast<std::size_t>(mark.pos) - 1);
    if (dash == std::string::npos) return {"", source_, mark.line + 1, mark.column + 1};
    const auto begin = source_->text.begin();
    const auto line = 1 + std::count(begin, begin + static_cast<std::ptrdiff_t>(dash), '\n');
    const std::size_t line_end = source_->text.rfind('\n', dash);
    const std::size_t column = line_end == std::string::npos ? dash + 1 : dash - line_end;
    return {"", source_, static_cast<int>(line), static_cast<int>(column)};
  }

  bool expects_key() const { return !stack_.empty() && stack_.back().node.is_map() && !stack_.back().key; }

  void open(YamlNode node, YAML::EmitterStyle::value style) {
    // Told at the end: where a bracket is not closed, the parser takes what follows for a key before it sees the
    // mistake.
    if (expects_key() && !odd_key_) odd_key_ = node.mark;
    if (stack_.size() >= static_cast<std::size_t>(kMaxDepth))
      node.mark.fail(fmt::format("nested deeper than {} levels", kMaxDepth));
    stack_.push_back({std::move(node), style == YAML::EmitterStyle::Flow, std::nullopt, {}});
  }

  void close() {
    YamlNode node = std::move(stack_.back().node);
    stack_.pop_back();
    place(std::move(node));
  }

  void place(YamlNode node) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = stack_.back();
    if (frame.node.is_sequence()) {
      frame.node.items.push_back(std::move(node));
    } else if (!frame.key) {
      const auto [first, inserted] = frame.key_lines.emplace(node.mark.text, node.mark.line);
      if (!inserted && node.is_scalar())
        node.mark.fail(fmt::format("the key `{}` is written twice, first in line {}", node.mark.text, first->second));
      frame.key = std::move(node.mark);
    } else {
      frame.node.entries.push_back({std::move(*frame.key), std::move(node)});
      frame.key.reset();
    }
  }

  std::shared_ptr<const YamlSource> source_;
  std::vector<Frame> stack_;
  YamlNode root_;
  std::optional<Marked> odd_key_;
  int n_documents_ = 0;
  int n_values_ = 0;
};

}  // namespace

const YamlEntry* YamlNode::find_entry(std::string_view key) const {
  for (const YamlEntry& entry : entries)
    if (entry.key.text == key) return &entry;
  return nullptr;
}

const YamlNode* YamlNode::find(std::string_view key) const {
  const YamlEntry* entry = find_entry(key);
  return entry == nullptr ? nullptr : &entry->value;
}

const YamlNode* YamlNode::find_path(std::string_view dotted) const {
  const YamlNode* node = this;
  while (node != nullptr && !dotted.empty()) {
    const std::size_t dot = std::min(dotted.find('.'), dotted.size());
    node = node->find(dotted.substr(0, dot));
    dotted.remove_prefix(std::min(dot + 1, dotted.size()));
  }
  return node;
}

YamlNode parse_yaml(const std::shared_ptr<const YamlSource>& source) {
  TreeBuilder builder(source);
  try {
    std::istringstream stream(source->text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::Exception& error) {
    const bool known = !error.mark.is_null();
    throw_case_error(source->at(known ? error.mark.line + 1 : 1, known ? error.mark.column + 1 : 1), 0,
                     "not valid YAML: " + error.msg +
                         "; text with : # , [ ] { } or with a leading * & ! % @ - needs quotes around it");
  }
  YamlNode root = builder.take_root();
  if (root.mark.source == nullptr) root.mark = {"", source, 1, 1};
  return root;
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::sequence:
      return "a list";
    case YamlNode::Kind::map:
      return "a map";
    case YamlNode::Kind::scalar:
      break;
  }
  return "`" + node.mark.text + "`";
}

}  // namespace gwrm::casefile
