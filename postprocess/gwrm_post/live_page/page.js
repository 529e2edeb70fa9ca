// The page: what is shown, the controls, and when it is drawn. `gwrmLive` lets a script ask for values and times of
// redraws.
"use strict";

const gwrmLive = { ready: false, redraws: 0, milliseconds: 0 };
window.gwrmLive = gwrmLive; // for the page that this one is within, too

(() => {
  const { fraction, coordinate } = GwrmDrawing;
  const PIXELS = 256, PLACES = 513, STEPS = 1000, SECONDS = 12; // of the film over the whole time
  const element = (id) => document.getElementById(id);
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  let answer, colours, state, scales;
  const tile = { canvas: make("canvas", { width: PIXELS, height: PIXELS }), key: null, range: null };
  const bar = { canvas: make("canvas", { width: 1, height: 256 }), table: null };
  const boxes = { picture: null, section: null }; // where the last drawing is on its canvas
  const kept = new Map();

  // ---- points ----

  // The middles of the pixels of a picture: ascending, the same array every time.
  function pixels(name) {
    return remembered("pixels " + name, () => Float64Array.from({ length: PIXELS }, (_, i) =>
      coordinate(scales[name], (i + 0.5) / PIXELS)));
  }

  function places(name) {
    const all = { length: PLACES }, own = answer.axis[name].places;
    return remembered("places " + name, () =>
      own ? Float64Array.from(own) : Float64Array.from(all, (_, i) => coordinate(scales[name], i / (PLACES - 1))));
  }

  function remembered(key, compute) {
    if (!kept.has(key)) kept.set(key, compute());
    return kept.get(key);
  }

  // A number between the ends with as many digits as the steps of a slider deserve.
  function tidy(name, z) {
    const { lower, upper } = scales[name], digits = Number(z.toPrecision(6));
    return Math.min(upper, Math.max(lower, digits));
  }

  const atPoint = (names) => names.map((name) => `${scales[name].label} = ${short(state.point[name])}`).join(", ");
  const short = (value) => GwrmDrawing.tickLabel(Number(value.toPrecision(4)));

  // ---- ranges and colours ----

  // Of both signs: symmetric about zero, with white there. A few per cent of undershoot are no second sign.
  function colourRange(low, high) {
    if (!(low <= high)) return { lower: 0, upper: 1, table: colours.sequential };
    const bound = Math.max(-low, high);
    if (low < 0 && high > 0 && Math.min(-low, high) > 0.05 * bound)
      return { lower: -bound, upper: bound, table: colours.diverging };
    return { lower: low, upper: high > low ? high : low + (Math.abs(low) || 1), table: colours.sequential };
  }

  function ends(list) {
    let low = Infinity, high = -Infinity;
    for (const values of list)
      for (const value of values) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    return [low, high];
  }

  // ---- drawing ----

  function drawPicture() {
    const { unknown, plane: [h, v] } = state, own = answer.axesOf(unknown);
    const others = own.filter((name) => name !== h && name !== v);
    const key = JSON.stringify([unknown.name, h, v, state.whole, others.map((name) => state.point[name])]);
    if (key !== tile.key) {
      const first = own.indexOf(v) < own.indexOf(h) ? v : h, second = first === v ? h : v;
      const values = answer.values(unknown, state.point,
        [first, second].map((name) => ({ axis: name, points: pixels(name) })));
      const [low, high] = state.whole ? [unknown.low, unknown.high] : ends([values]);
      tile.range = { ...colourRange(low, high), label: unknown.label };
      const pen = tile.canvas.getContext("2d"), image = pen.createImageData(PIXELS, PIXELS);
      GwrmDrawing.paint(image, values, PIXELS, PIXELS, first === h, tile.range, tile.range.table);
      pen.putImageData(image, 0, 0);
      if (bar.table !== tile.range.table) drawBar(tile.range.table);
      tile.key = key;
    }
    const text = `${unknown.label}${others.length ? " at " + atPoint(others) : ""}`;
    element("picture").setAttribute("aria-label", `${text}, colours over ${scales[h].label} and ${scales[v].label}`);
    boxes.picture = GwrmDrawing.drawPicture(element("picture"), {
      h: scales[h], v: scales[v], tile: tile.canvas, aspect: aspect(h, v), range: tile.range, bar: bar.canvas, text,
      mark: { h: state.point[h], v: state.point[v] }, failed: answer.failed });
  }

  function drawBar(table) {
    const pen = bar.canvas.getContext("2d"), image = pen.createImageData(1, 256);
    new Uint32Array(image.data.buffer).set(Uint32Array.from({ length: 256 }, (_, i) =>
      table[Math.floor(((255 - i) / 256) * table.length)]));
    pen.putImageData(image, 0, 0);
    bar.table = table;
  }

  // True lengths of two directions in space that are not too different.
  function aspect(h, v) {
    const [a, b] = [h, v].map((name) => answer.axis[name]);
    const ratio = (b.upper - b.lower) / (a.upper - a.lower);
    return a.kind === "space" && b.kind === "space" && ratio > 0.2 && ratio < 5 ? ratio : null;
  }

  function drawSection() {
    const { along } = state, at = places(along);
    const shown = answer.unknowns.filter((one) => state.curves.has(one.name) && answer.axesOf(one).includes(along));
    const curves = shown.map((unknown) => ({
      colour: colourOf(unknown), values: answer.values(unknown, state.point, [{ axis: along, points: at }]),
      at: answer.values(unknown, state.point)[0] }));
    let [low, high] = ends(curves.map((curve) => curve.values));
    if (state.whole)
      for (const unknown of shown) [low, high] = [Math.min(low, unknown.low), Math.max(high, unknown.high)];
    if (!(low <= high)) [low, high] = [0, 1];
    const margin = 0.04 * (high - low || Math.abs(low) || 1), names = shown.map((one) => one.label).join(", ");
    const others = [...new Set(shown.flatMap((one) => answer.axesOf(one)))].filter((name) => name !== along);
    const text = `${names || "no curve is chosen"}${others.length ? " at " + atPoint(others) : ""}`;
    element("section").setAttribute("aria-label", `${text}, curves over ${scales[along].label}`);
    boxes.section = GwrmDrawing.drawCurves(element("section"), {
      h: scales[along], v: { lower: low - margin, upper: high + margin, label: names }, places: at, curves, text,
      mark: state.point[along], failed: answer.failed });
  }

  const colourOf = (unknown) => colours.curves[answer.unknowns.indexOf(unknown) % colours.curves.length];

  function digits(value) {
    const small = value !== 0 && Math.abs(value) < 1e-3;
    return (small ? value.toExponential(11) : String(Number(value.toPrecision(12)))).replaceAll("-", "−");
  }

  function showValues() {
    const rows = answer.unknowns.map((unknown) => {
      const value = answer.values(unknown, state.point)[0];
      return make("tr", {}, make("td", { textContent: unknown.label }),
                  make("td", { className: "number", textContent: digits(value) }));
    });
    element("probe").replaceChildren(...rows);
  }

  function redraw() {
    const began = performance.now();
    if (state.plane) drawPicture();
    if (state.along) drawSection();
    showValues();
    gwrmLive.milliseconds = performance.now() - began;
    gwrmLive.redraws += 1;
    element("milliseconds").textContent = ` Drawn in ${gwrmLive.milliseconds.toFixed(1)} ms.`;
  }

  let waiting = false;
  function schedule() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      redraw();
    });
  }

  // ---- controls ----

  const sliders = {};

  function addSlider(axis) {
    const { name } = axis, scale = scales[name], steps = axis.places ? axis.places.length - 1 : STEPS;
    const slider = make("input", { type: "range", min: 0, max: steps, step: 1, id: `slider-${name}` });
    const field = make("input", { type: "number", step: axis.places ? 1 : "any", min: scale.lower, max: scale.upper });
    if (axis.places) Object.assign(field, { min: 0, max: steps });
    field.setAttribute("aria-label", `${scale.label}, a number`);
    const label = make("label", { htmlFor: slider.id, textContent: scale.label });
    const row = make("div", { className: "slider" }, label, slider, field);
    row.title = axis.distribution || "";
    slider.addEventListener("input", () => {
      const step = slider.valueAsNumber;
      move(name, axis.places ? axis.places[step] : tidy(name, coordinate(scale, step / steps)));
    });
    field.addEventListener("change", () => {
      if (Number.isFinite(field.valueAsNumber)) move(name, field.valueAsNumber);
    });
    if (axis.kind === "time" && !axis.places) row.append(playButton(name));
    sliders[name] = { slider, field, steps };
    element("sliders").append(row);
  }

  function playButton(name) {
    const button = make("button", { type: "button", textContent: "▶" });
    let last = null;
    const label = () => button.setAttribute("aria-label", last === null ? `play over ${scales[name].label}` : "stop");
    const step = (now) => {
      if (last === null) return;
      const next = fraction(scales[name], state.point[name]) + (now - last) / 1000 / SECONDS;
      last = now;
      move(name, coordinate(scales[name], next > 1 ? 0 : next));
      requestAnimationFrame(step);
    };
    button.addEventListener("click", () => {
      last = last === null ? performance.now() : null;
      button.textContent = last === null ? "▶" : "■";
      label();
      if (last !== null) requestAnimationFrame(step);
    });
    label();
    return button;
  }

  // Moves the point, and what shows it.
  function move(name, z) {
    const axis = answer.axis[name], { slider, field, steps } = sliders[name];
    const inside = Math.min(scales[name].upper, Math.max(scales[name].lower, z));
    state.point[name] = axis.places ? Math.round(inside) : inside;
    slider.value = axis.places ? state.point[name] : Math.round(fraction(scales[name], inside) * steps);
    slider.setAttribute("aria-valuetext", `${scales[name].label} = ${short(state.point[name])}`);
    if (document.activeElement !== field || field.valueAsNumber !== state.point[name])
      field.value = Number(state.point[name].toPrecision(10));
    schedule();
  }

  // Pairs of axes of an unknown, [across, up]: directions in space first, then space and time.
  function planes(unknown) {
    const own = answer.axesOf(unknown).filter((name) => !answer.axis[name].places), found = [];
    const rank = (name) => ["space", "time", "parameter"].indexOf(answer.axis[name].kind);
    for (let j = own.length - 1; j > 0; --j) for (let i = j - 1; i >= 0; --i) found.push([own[j], own[i]]);
    return found.sort((a, b) => rank(a[0]) + rank(a[1]) - rank(b[0]) - rank(b[1]));
  }

  function fill(select, options, chosen) {
    select.replaceChildren(...options.map(([value, text]) => make("option", { value, textContent: text })));
    if (chosen !== undefined) select.value = chosen;
  }

  function choosePlanes() {
    const all = planes(state.unknown), same = all.find((one) => state.plane && one.join() === state.plane.join());
    fill(element("plane"), all.map((one) => [one.join(), `${scales[one[0]].label} and ${scales[one[1]].label}`]));
    state.plane = same || all[0];
    element("plane").value = state.plane.join();
  }

  function chooseCurves() {
    const able = answer.unknowns.filter((one) => answer.axesOf(one).includes(state.along));
    if (!able.some((one) => state.curves.has(one.name))) {
      const first = able.includes(state.unknown) ? state.unknown : able[0];
      const several = !answer.axesOf(first).some((name) => answer.axis[name].kind === "space");
      const size = (one) => Math.max(Math.abs(one.low), Math.abs(one.high)) || 1;
      const alike = able.filter((one) => answer.axesOf(one).join() === answer.axesOf(first).join() &&
                                         size(one) < 30 * size(first) && size(first) < 30 * size(one));
      (several ? alike.slice(0, 6) : [first]).forEach((one) => state.curves.add(one.name));
    }
    element("curves").replaceChildren(...able.map((unknown) => {
      const box = make("input", { type: "checkbox", checked: state.curves.has(unknown.name), value: unknown.name });
      box.addEventListener("change", () => {
        if (box.checked) state.curves.add(unknown.name);
        else state.curves.delete(unknown.name);
        schedule();
      });
      const swatch = make("span", { className: "swatch" });
      swatch.style.background = colourOf(unknown);
      return make("label", { className: "check" }, box, swatch, unknown.label);
    }));
  }

  function hide(kind, hidden) {
    for (const one of document.getElementsByClassName(kind)) one.hidden = hidden;
  }

  function prepare() {
    const used = answer.axes.filter((axis) => answer.unknowns.some((one) => answer.axesOf(one).includes(axis.name)));
    const drawable = answer.unknowns.filter((one) => planes(one).length > 0);
    const wanted = (list) => list.find((one) => one.name === answer.first) || list[0];
    const lines = used.filter((axis) => !axis.places || used.length === 1);
    const rank = ["space", "time", "parameter"];
    const first = [...lines].reverse().sort((a, b) => rank.indexOf(a.kind) - rank.indexOf(b.kind))[0];
    state = { point: {}, unknown: wanted(drawable) || wanted(answer.unknowns), plane: null,
              along: first ? first.name : null, curves: new Set(), whole: true };
    used.forEach(addSlider);
    element("sliders").hidden = used.length === 0;
    hide("for-picture", drawable.length === 0);
    hide("for-section", !first);
    for (const axis of used) {
      const middle = axis.places ? 0 : tidy(axis.name, coordinate(scales[axis.name], 0.5));
      move(axis.name, answer.start[axis.name] ?? middle);
    }
    if (drawable.length > 0) {
      fill(element("unknown"), drawable.map((one) => [one.name, one.label]), state.unknown.name);
      choosePlanes();
    }
    fill(element("along"), lines.map((axis) => [axis.name, scales[axis.name].label]), state.along || undefined);
    if (first) chooseCurves();
  }

  function listen() {
    const on = (id, what) => element(id).addEventListener("change", () => {
      what(element(id));
      schedule();
    });
    on("unknown", (select) => {
      const only = state.curves.size === 1 && state.curves.has(state.unknown.name);
      state.unknown = answer.unknowns.find((one) => one.name === select.value);
      choosePlanes();
      if (only && answer.axesOf(state.unknown).includes(state.along)) state.curves = new Set([state.unknown.name]);
      if (state.along) chooseCurves();
    });
    on("plane", (select) => (state.plane = select.value.split(",")));
    on("along", (select) => {
      state.along = select.value;
      chooseCurves();
    });
    on("whole", (box) => (state.whole = box.checked));
    element("controls").addEventListener("submit", (event) => event.preventDefault());
    point("picture", (f, g) => {
      move(state.plane[0], tidy(state.plane[0], coordinate(scales[state.plane[0]], f)));
      move(state.plane[1], tidy(state.plane[1], coordinate(scales[state.plane[1]], g)));
    });
    point("section", (f) => move(state.along, tidy(state.along, coordinate(scales[state.along], f))));
    window.addEventListener("resize", schedule);
  }

  // Pressed or drawn over a canvas: calls back with the fractions across and up its drawing.
  function point(id, moved) {
    const canvas = element(id);
    const at = (event) => {
      const place = canvas.getBoundingClientRect(), box = boxes[id];
      moved((event.clientX - place.left - box.x) / box.width, 1 - (event.clientY - place.top - box.y) / box.height);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      at(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) at(event);
    });
  }

  async function begin() {
    const data = JSON.parse(element("answer").textContent);
    if (typeof DecompressionStream === "undefined")
      throw new Error("this browser is too old: it has no DecompressionStream (Chromium 80, Firefox 113, Safari 16.4)");
    const numbers = await GwrmSeries.unpack(element("coefficients").textContent.trim(), data.unknowns);
    answer = new GwrmSeries.Answer({ ...data, numbers });
    scales = Object.fromEntries(answer.axes.map(({ name, lower, upper, log, label, places: own }) =>
      [name, own ? { lower: 0, upper: Math.max(1, own.length - 1), log, label } : { lower, upper, log, label }]));
    const table = (text) => GwrmDrawing.colourTable(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    const { sequential, diverging, curves } = data.colours;
    colours = { sequential: table(sequential), diverging: table(diverging), curves };
    prepare();
    listen();
    redraw();
    Object.assign(gwrmLive, { ready: true, answer, state, move, redraw });
  }

  begin().catch((error) => {
    element("message").textContent = `Nothing can be shown: ${error.message}`;
    throw error;
  });
})();
