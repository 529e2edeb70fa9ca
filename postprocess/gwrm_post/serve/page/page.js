// The page: checks while the text is written, runs, and what they find.
"use strict";

const gwrmServe = { ready: false };

(() => {
  const POLL = 250; // milliseconds between two questions how the run stands
  const STEPS = 500; // the last ones, which are listed
  const element = (id) => document.getElementById(id);
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const state = { seen: "", saved: "", checking: false, waiting: null, checked: null, run: null };
  const editor = new CaseEditor((text) => {
    check(text);
    showSaved();
  });

  // ---- the server ----

  async function ask(name, given) {
    let reply;
    try {
      reply = await fetch(name, given === undefined ? {} : {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) });
    } catch {
      throw new Error("gwrm serve does not answer: it has ended, or is to be started anew");
    }
    const said = await reply.json().catch(() => ({ refused: `an answer that is not understood (${reply.status})` }));
    if (said.refused !== undefined) throw new Error(said.refused);
    return said;
  }

  const say = (text, bad = false) => {
    element("message").textContent = text;
    element("message").className = bad ? "warning" : "";
  };

  const attempt = (what) => async () => {
    try {
      await what();
    } catch (error) {
      say(error.message, true);
    }
  };

  // ---- checks: of the newest text, one at a time ----

  async function check(text) {
    state.waiting = text;
    if (state.checking) return;
    state.checking = true;
    try {
      while (state.waiting !== null) {
        const checked = state.waiting;
        state.waiting = null;
        const said = await ask("check", { text: checked });
        if (editor.value === checked) showCheck(checked, said);
      }
    } catch (error) {
      say(error.message, true);
    } finally {
      state.checking = false;
    }
  }

  function showCheck(text, said) {
    state.checked = text;
    editor.mark(said.ok ? null : said);
    const fault = element("fault");
    fault.replaceChildren();
    if (said.ok) return showSystem(said);
    if (said.line) {
      const place = make("button", { type: "button", textContent: `line ${said.line}, column ${said.column}` });
      place.addEventListener("click", () => editor.goTo(editor.offsetOf(said.line, said.column)));
      fault.append(place);
    }
    fault.append(said.message);
    return undefined;
  }

  // The equations come from the program as MathML with all names escaped.
  function showSystem({ equations, facts, warnings }) {
    const rows = equations.map(({ name, mathml }) => {
      const drawn = make("td", {});
      drawn.innerHTML = mathml;
      return make("tr", {}, make("td", { textContent: name }), drawn);
    });
    const others = Object.entries(facts).filter(([name]) => !equations.some((one) => one.name === name))
      .map(([name, text]) => make("tr", {}, make("td", { textContent: name }), make("td", { textContent: text })));
    element("system").replaceChildren(...warnings.map((text) => make("p", { className: "warning", textContent: text })),
                                      make("table", {}, ...rows), make("table", {}, ...others));
  }

  // ---- the file ----

  function showSaved() {
    element("save").disabled = editor.value === state.saved;
  }

  async function save() {
    const text = editor.value;
    state.seen = (await ask("save", { text, seen: state.seen })).seen;
    state.saved = text;
    showSaved();
    say("saved");
  }

  // ---- runs ----

  async function solve() {
    if (element("solve").disabled) return;
    element("solve").disabled = true;
    say("");
    const text = editor.value;
    try {
      const said = await ask("run", { text });
      if (!said.ok) {
        showCheck(text, said);
        if (said.line) editor.goTo(editor.offsetOf(said.line, said.column));
        element("solve").disabled = false;
        return;
      }
      follow(said.number);
    } catch (error) {
      element("solve").disabled = false;
      throw error;
    }
  }

  async function cancel() {
    element("cancel").disabled = true;
    await ask("cancel", {});
  }

  // A run of this number from its first step on, until it has ended.
  function follow(number) {
    state.run = { number, steps: [], last: 0, n_views: 0 };
    element("invitation").hidden = true;
    element("run").hidden = false;
    element("view").hidden = true;
    element("result").hidden = true;
    element("ticks").replaceChildren();
    element("bar").className = "";
    element("steps").textContent = element("report").textContent = element("log").textContent = "";
    element("solve").disabled = true;
    element("cancel").disabled = false;
    poll(state.run);
  }

  async function poll(run) {
    try {
      const status = await ask(`status?${run.steps.length}`);
      if (status.number !== run.number) return follow(status.number); // begun in another window of the browser
      showRun(run, status);
      if (status.state !== "ended") return setTimeout(() => poll(run), POLL);
    } catch (error) {
      say(error.message, true);
    }
    element("solve").disabled = false;
    element("cancel").disabled = true;
    return undefined;
  }

  const VERDICTS = { 0: "PASS", 2: "a mistake in the case", 3: "Newton did not converge", 4: "the linear system is singular",
                     5: "a NaN or Inf turned up", 6: "FAIL", 7: "too little memory, or no device", 8: "a file cannot be written",
                     9: "NOT ESTIMATED", 130: "cancelled" };

  function showRun(run, status) {
    if (status.first === run.steps.length) for (const step of status.steps) addStep(run, step);
    const bad = status.exit_status !== null && status.exit_status !== 0, count = run.steps.length;
    const last = count > 0 ? run.steps[count - 1] : null;
    element("bar").className = bad ? "bad" : "";
    element("bar").setAttribute("aria-valuenow", Math.round(100 * (last ? last.done : 0)));
    element("steps-head").textContent = `Steps (${count})`;
    const verdict = VERDICTS[status.exit_status] || `ended with status ${status.exit_status}`;
    const text = status.exit_status !== null ? `${verdict}, ${status.seconds.toFixed(2)} s`
                 : last ? `${Math.floor(100 * last.done)} %: ${last.note}` : "begun";
    element("state").textContent = text + (status.state === "drawing" ? "; the answer is drawn" : "");
    element("state").className = bad ? "bad" : "";
    for (const part of ["report", "log"])
      if (element(part).textContent !== status[part]) element(part).textContent = status[part];
    if (bad && status.state === "ended" && !status.report) element("log-shown").open = true;
    element("report-shown").hidden = !status.report;
    element("log-shown").hidden = !status.log;
    if (status.state !== "solving") element("cancel").disabled = true;
    if (status.n_views !== run.n_views) showView(run, status.n_views);
    element("result").hidden = !status.has_result;
  }

  // A finished window, or another step: a piece of the bar.
  function addStep(run, step) {
    const piece = make("span", {}), from = 100 * run.last, to = 100 * Math.min(1, step.done);
    if (to > from) {
      piece.style.left = `${from}%`;
      piece.style.width = `${to - from}%`;
      piece.title = step.note;
      element("ticks").append(piece);
      run.last = step.done;
    }
    run.steps.push(step);
    element("steps").textContent = run.steps.slice(-STEPS).map(({ done, note }) => `${(100 * done).toFixed(1)} %  ${note}`)
      .join("\n");
  }

  // The coordinates that its reader has moved stay.
  function showView(run, n_views) {
    const frame = element("view"), live = frame.hidden ? null : liveOf(frame), { start, point } = live && live.start
      ? { start: live.start, point: { ...live.state.point } } : { start: {}, point: {} };
    run.n_views = n_views;
    frame.hidden = false;
    frame.onload = async () => {
      const shown = liveOf(frame);
      for (let i = 0; i < 100 && shown && !shown.ready; ++i) await new Promise((resolve) => setTimeout(resolve, 20));
      if (!shown || !shown.ready) return;
      shown.start = { ...shown.state.point };
      for (const [name, z] of Object.entries(point))
        if (name in shown.start && z !== start[name]) {
          shown.move(name, z);
          shown.start[name] = NaN; // in the next view, too
        }
    };
    frame.contentWindow.location.replace(`view?${run.number}.${n_views}`); // without an entry in the history
  }

  const liveOf = (frame) => frame.contentWindow.gwrmLive || null; // a report has none

  // ---- begin ----

  async function begin() {
    const [given, schema] = await Promise.all([ask("case"), ask("schema")]);
    Object.assign(state, { seen: given.seen, saved: given.text });
    editor.schema = schema;
    editor.value = given.text;
    element("text").focus();
    for (const [id, what] of Object.entries({ solve, cancel, save })) element(id).addEventListener("click", attempt(what));
    document.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      const what = { Enter: solve, s: save }[event.key];
      if (!what) return;
      event.preventDefault();
      attempt(what)();
    });
    window.addEventListener("beforeunload", (event) => {
      if (editor.value !== state.saved) event.preventDefault();
    });
    await check(given.text);
    const status = await ask("status");
    if (status.number > 0) follow(status.number);
    Object.assign(gwrmServe, { ready: true, editor, state });
  }

  begin().catch((error) => say(error.message, true));
})();
