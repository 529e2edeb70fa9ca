// The text of the case: line numbers, the place of a mistake, help on the key at the caret or the mouse, and a list of what
// can stand at the caret. A textarea edits; behind it `mirror` holds the same text, which tells where a letter is.
"use strict";

class CaseEditor {
  // changed: called with the text, a while after the last letter
  constructor(changed) {
    const element = (id) => document.getElementById(id);
    Object.assign(this, { text: element("text"), mirror: element("mirror"), numbers: element("numbers"), fault: null,
                          bubble: element("bubble"), sign: element("sign"), mistake: element("mistake"),
                          list: element("choices"), help: element("help"), schema: null,
                          choices: [], chosen: 0, start: 0, changed, timer: null });
    const { text } = this;
    text.addEventListener("input", (event) => this.typed(event));
    text.addEventListener("scroll", () => this.place());
    text.addEventListener("keydown", (event) => this.key(event));
    text.addEventListener("mousemove", (event) => this.hover(event));
    text.addEventListener("blur", () => this.close());
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === text) this.moved();
    });
    this.list.addEventListener("mousedown", (event) => { // before the text loses the focus
      event.preventDefault();
      const line = event.target.closest("li");
      if (line) this.take(Number(line.dataset.place));
    });
    window.addEventListener("resize", () => this.place());
  }

  get value() {
    return this.text.value;
  }

  set value(text) {
    this.text.value = text;
    this.text.disabled = false;
    this.show();
    this.text.setSelectionRange(0, 0);
  }

  typed(event) {
    this.mark(null);
    const letter = event && event.inputType === "insertText" ? event.data : null;
    if (letter !== null && /^[\w]$/.test(letter)) this.offer();
    else this.close();
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed(this.value), 350);
  }

  // ---- places ----

  // What the mirror holds: the text, with the letters of the mistake in an element of their own.
  show() {
    const { value, fault } = this, lines = value.split("\n").length;
    const from = fault ? fault.from : value.length, to = fault ? fault.to : value.length;
    const marked = Object.assign(document.createElement("span"), { className: "fault", textContent: value.slice(from, to) });
    this.mirror.replaceChildren(value.slice(0, from), ...(fault ? [marked] : []), value.slice(to) + "\n ");
    const numbers = Array.from({ length: lines }, (_, i) => i + 1).join("\n") + "\n ";
    if (this.numbers.textContent !== numbers) this.numbers.textContent = numbers;
    this.place();
  }

  place() {
    const { text, mirror, numbers } = this;
    mirror.scrollTop = text.scrollTop;
    mirror.scrollLeft = text.scrollLeft;
    numbers.scrollTop = text.scrollTop;
    if (this.fault) {
      this.put(this.bubble, this.fault.from, 4);
      this.sign.style.left = `${this.boxOf(this.fault.from).left - this.bubble.offsetLeft - this.bubble.clientLeft}px`;
    }
    if (!this.list.hidden) this.put(this.list, this.start, 2);
  }

  // Where a letter is on the sheet.
  boxOf(offset) {
    let node = null, rest = offset;
    for (const child of this.mirror.childNodes) {
      node = child.firstChild || child;
      if (rest <= node.length) break;
      rest -= node.length;
    }
    const range = document.createRange(), sheet = this.mirror.getBoundingClientRect();
    range.setStart(node, Math.min(rest, node.length));
    range.setEnd(node, Math.min(rest + 1, node.length));
    const rectangles = range.getClientRects(), box = rectangles[rectangles.length - 1] || range.getBoundingClientRect();
    return { left: box.left - sheet.left, top: box.top - sheet.top, bottom: box.bottom - sheet.top };
  }

  put(box, offset, below) {
    const { left, bottom } = this.boxOf(offset), sheet = this.mirror.clientWidth;
    box.style.left = `${Math.max(0, Math.min(left, sheet - box.offsetWidth - 4))}px`;
    box.style.top = `${bottom + below}px`;
  }

  // The place of a mistake, line and column from 1; null takes the mark away.
  mark(fault) {
    this.fault = null;
    this.bubble.hidden = true;
    if (fault && fault.line) {
      const from = this.offsetOf(fault.line, fault.column), rest = /^(?:[\w.]+|[^\n]?)/.exec(this.value.slice(from))[0];
      this.fault = { from, to: from + rest.length };
      this.mistake.textContent = fault.message;
    }
    this.show();
    if (this.fault) {
      this.bubble.hidden = false;
      this.place();
    }
  }

  // Columns count characters, of which some are two elements of a string.
  offsetOf(line, column) {
    const lines = this.value.split("\n"), before = lines.slice(0, line - 1), own = lines[line - 1] || "";
    const shown = Array.from(own).slice(0, column - 1).join("");
    return before.reduce((sum, one) => sum + one.length + 1, 0) + shown.length;
  }

  goTo(offset) {
    this.text.focus();
    this.text.setSelectionRange(offset, offset);
    const { top } = this.boxOf(offset), { clientHeight } = this.text;
    if (top < 0 || top > clientHeight - 60) this.text.scrollTop += top - clientHeight / 3;
  }

  // ---- help ----

  moved() {
    if (!this.list.hidden && this.text.selectionStart < this.start) this.close();
    if (this.list.hidden) this.tell(this.schema && CaseSchema.helpAt(this.schema, this.value, this.text.selectionStart));
  }

  tell(help) {
    const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
    this.help.replaceChildren(...(help ? [make("code", { textContent: help.key }), ` ${help.description} `,
                                          make("span", { className: "kind", textContent: help.kind })] : []));
  }

  hover(event) {
    const { lineHeight, paddingTop, paddingLeft } = getComputedStyle(this.text), box = this.text.getBoundingClientRect();
    this.width = this.width || this.boxOf(1).left - this.boxOf(0).left || 8;
    const line = Math.floor((event.clientY - box.top + this.text.scrollTop - parseFloat(paddingTop)) / parseFloat(lineHeight));
    const column = Math.floor((event.clientX - box.left + this.text.scrollLeft - parseFloat(paddingLeft)) / this.width);
    const lines = this.value.split("\n"), own = lines[line];
    let told = "";
    if (own !== undefined && column >= 0 && column < own.length && this.schema) {
      const help = CaseSchema.helpAt(this.schema, this.value, lines.slice(0, line).join("\n").length + (line > 0) + column);
      if (help) told = `${help.key}: ${help.description}\n${help.kind}`;
    }
    if (this.text.title !== told) this.text.title = told;
  }

  // ---- what can stand at the caret ----

  offer() {
    const { start, words } = this.schema ? CaseSchema.completions(this.schema, this.value, this.text.selectionStart)
                                         : { start: 0, words: [] };
    Object.assign(this, { choices: words, start });
    if (words.length === 0) return this.close();
    this.list.replaceChildren(...words.map(({ word }, place) => {
      const line = Object.assign(document.createElement("li"), { id: `choice-${place}`, textContent: word });
      line.setAttribute("role", "option");
      line.dataset.place = place;
      return line;
    }));
    this.list.hidden = false;
    this.choose(0);
    this.place();
  }

  choose(place) {
    this.chosen = (place + this.choices.length) % this.choices.length;
    for (const line of this.list.children) {
      line.setAttribute("aria-selected", String(Number(line.dataset.place) === this.chosen));
      if (Number(line.dataset.place) === this.chosen) line.scrollIntoView({ block: "nearest" });
    }
    this.text.setAttribute("aria-activedescendant", `choice-${this.chosen}`);
    const { word, help } = this.choices[this.chosen];
    this.tell({ key: word, description: help, kind: "" });
  }

  close() {
    this.list.hidden = true;
    this.choices = [];
    this.text.removeAttribute("aria-activedescendant");
  }

  take(place) {
    const { insert } = this.choices[place], { text } = this;
    const end = text.selectionStart, behind = /^[\w-]*:? ?/.exec(text.value.slice(end))[0];
    text.setSelectionRange(this.start, end + (insert.endsWith(": ") && behind.includes(":") ? behind.length : 0));
    this.close();
    // So that it can be undone; what replaces the text by itself cannot.
    if (!document.execCommand("insertText", false, insert)) text.setRangeText(insert, text.selectionStart, text.selectionEnd, "end");
    this.close();
    this.mark(null);
    this.later();
  }

  key(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      return this.offer();
    }
    if (event.key === "Escape") {
      this.close();
      this.bubble.hidden = true;
      return undefined;
    }
    if (!this.list.hidden) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) this.choose(this.chosen + step);
      else if (["Enter", "Tab"].includes(event.key) && !event.ctrlKey) this.take(this.chosen);
      else return undefined;
      return event.preventDefault();
    }
    if (event.key === "Enter" && !event.ctrlKey && !event.isComposing) { // as far in as the line before
      const { text } = this, line = text.value.slice(0, text.selectionStart).split("\n").pop();
      const blank = /^ */.exec(line)[0] + (/[^\s#].*:\s*$/.test(line) ? "  " : "");
      if (blank && document.execCommand("insertText", false, "\n" + blank)) event.preventDefault();
    }
    return undefined;
  }
}
