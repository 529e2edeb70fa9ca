// Where in a case a place of its text is, and what the JSON Schema of case files says of it. A path is a list of keys; an
// element of a list is ITEM. The text may be unfinished: what stands behind a place does not matter to it.
"use strict";

const CaseSchema = (() => {
  const ITEM = "[]";

  // A key at the beginning of a text, with its colon: [whole, key].
  const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:,{}[\]"'&*!|>%@`-][^#:,{}[\]\n]*?|-[^\s:][^:\n]*?)\s*:(?=\s|$)/;
  const plain = (key) => key.trim().replace(/^(["'])(.*)\1$/, "$2");

  // Reads a text up to its end, and says where that is: {path, role: "key" | "value" | "comment", start}, of a key or
  // value that begins at `start`.
  function placeAtEnd(text) {
    const blocks = []; // {column, key}: of block maps and lists around the line
    let flow = []; // {open: "{" | "[", key}: of maps and lists in braces
    let at = 0;
    const path = () => [...blocks.map((one) => one.key), ...flow.flatMap((one) => (one.key === null ? [] : [one.key]))];

    // A value from `at` on: up to the end of its line, or of its braces. The place, if the text ends within.
    function value() {
      let start = at, quote = null;
      for (; at < text.length; ++at) {
        const letter = text[at], inner = flow[flow.length - 1];
        if (quote) {
          if (letter === "\\" && quote === '"') ++at;
          else if (letter === quote) quote = null;
        } else if ((letter === '"' || letter === "'") && text.slice(start, at).trim() === "") {
          quote = letter;
        } else if (letter === "#" && (at === 0 || /\s/.test(text[at - 1]))) {
          const end = text.indexOf("\n", at);
          if (end < 0) return { path: path(), role: "comment", start: at };
          at = end - 1;
          start = end;
        } else if (letter === "{" || letter === "[") {
          if (!inner && text.slice(start, at).trim() !== "") continue; // within a plain scalar
          flow.push({ open: letter, key: letter === "[" ? ITEM : null });
          start = at + 1;
        } else if (inner && (letter === "}" || letter === "]")) {
          flow.pop();
          start = at + 1;
        } else if (inner && letter === ",") {
          if (inner.open === "{") inner.key = null;
          start = at + 1;
        } else if (inner && inner.open === "{" && inner.key === null && letter === ":" &&
                   (at + 1 === text.length || /\s/.test(text[at + 1]))) {
          inner.key = plain(text.slice(start, at));
          start = at + 1;
        } else if (letter === "\n" && !inner) {
          return null;
        } else if (letter === "\n") {
          if (text.slice(start, at).trim() === "") start = at + 1;
        }
      }
      const inner = flow[flow.length - 1], blank = /^\s*/.exec(text.slice(start))[0].length;
      const role = inner && inner.open === "{" && inner.key === null ? "key" : "value";
      return { path: path(), role, start: start + blank };
    }

    while (at < text.length) {
      const end = text.indexOf("\n", at), line = text.slice(at, end < 0 ? text.length : end);
      const blank = /^ */.exec(line)[0].length;
      if (line.trim() === "" || line.trim().startsWith("#") || line.startsWith("---")) {
        if (end < 0) {
          if (line.trim().startsWith("#")) return { path: [], role: "comment", start: at + blank };
          leave(blank);
          return { path: path(), role: "key", start: at + blank };
        }
        at = end + 1;
        continue;
      }
      let column = blank;
      leave(column, line[column] === "-");
      for (let item; (item = /^-(\s+|$)/.exec(line.slice(column))); column += item[0].length)
        blocks.push({ column, key: ITEM });
      const found = KEY.exec(line.slice(column));
      if (!found) {
        at += column;
        const start = at, whole = value();
        if (whole && flow.length === 0 && /^[\w-]*$/.test(text.slice(start)))
          return { path: path(), role: whole.path[whole.path.length - 1] === ITEM ? "either" : "key", start };
        if (whole) return whole;
        flow = [];
      } else {
        blocks.push({ column, key: plain(found[1]) });
        at += column + found[0].length;
        const whole = value();
        if (whole) return whole;
        flow = [];
      }
      ++at; // the line feed
    }
    leave(0);
    return { path: path(), role: "key", start: at };

    // The maps that a line which begins in this column does not belong to. Lists may stand as far left as their key.
    function leave(column, isItem = false) {
      while (blocks.length > 0) {
        const last = blocks[blocks.length - 1];
        if (last.column < column || (isItem && last.column === column && last.key !== ITEM)) break;
        blocks.pop();
      }
    }
  }

  // All that a node of the schema allows, by itself or as one of several.
  function choices(node) {
    if (!node || typeof node !== "object") return [];
    return [node, ...["anyOf", "oneOf", "allOf"].flatMap((word) => (node[word] || []).flatMap(choices))];
  }

  function nodesAt(schema, path) {
    let nodes = choices(schema);
    for (const key of path)
      nodes = nodes.flatMap((node) => {
        if (key === ITEM) return choices(node.items);
        if (node.properties && Object.hasOwn(node.properties, key)) return choices(node.properties[key]);
        return choices(node.additionalProperties);
      });
    return nodes;
  }

  // What can stand at an offset: {start, words: [{word, insert, help}]}, words that begin as the text there does.
  function completions(schema, text, offset) {
    const place = placeAtEnd(text.slice(0, offset));
    if (place.role === "comment") return { start: offset, words: [] };
    const begun = text.slice(place.start, offset), found = new Map();
    const nodes = nodesAt(schema, place.path);
    if (place.role !== "value")
      for (const node of nodes)
        for (const [word, inner] of Object.entries(node.properties || {}))
          if (!found.has(word)) found.set(word, { word, insert: word + ": ", help: describe(inner) });
    if (place.role !== "key")
      for (const node of nodes)
        for (const word of node.enum || (node.type === "boolean" ? [true, false] : []))
          found.set(String(word), { word: String(word), insert: String(word), help: "" });
    const words = [...found.values()].filter(({ word }) => word.startsWith(begun) && word !== begun);
    return { start: place.start, words };
  }

  // Of the key that an offset is in, or whose value it is in: {key, description, kind}; null where there is none.
  function helpAt(schema, text, offset) {
    let end = offset;
    while (end < text.length && /[\w-]/.test(text[end])) ++end;
    const place = placeAtEnd(text.slice(0, end)), word = text.slice(place.start, end);
    if (place.role === "comment") return null;
    const named = place.role === "key" && /^[\w-]+$/.test(word) ? [...place.path, word] : place.path;
    for (let path = named; path.length > 0; path = path.slice(0, -1)) {
      const nodes = nodesAt(schema, path), told = nodes.find((node) => node.description);
      if (told) return { key: path.filter((key) => key !== ITEM).join("."), description: told.description, kind: kind(nodes) };
    }
    return null;
  }

  const describe = (node) => (choices(node).find((one) => one.description) || {}).description || "";

  function kind(nodes) {
    const own = nodes.filter((node) => node.type || node.enum);
    const words = [...new Set(own.map((node) => (node.enum ? node.enum.join(", ") : node.type)))];
    const limits = own.flatMap((node) => [["minimum", "at least"], ["exclusiveMinimum", "above"], ["maximum", "at most"],
                                          ["exclusiveMaximum", "below"]]
      .filter(([name]) => name in node).map(([name, text]) => `${text} ${node[name]}`));
    const standard = nodes.find((node) => "default" in node);
    return [words.join(" or "), ...new Set(limits), standard ? `default ${JSON.stringify(standard.default)}` : ""]
      .filter(Boolean).join("; ");
  }

  return { ITEM, placeAtEnd, nodesAt, completions, helpAt };
})();

if (typeof module !== "undefined") module.exports = CaseSchema;
