// Curves, pictures, axes and colour bars on canvases. Nothing here knows of series.
//
// A scale is {lower, upper, log}; its fraction runs from 0 at the lower end to 1 at the upper one.
"use strict";

const GwrmDrawing = (() => {
  const INK = "#222", QUIET = "#666", FRAME = "#444", FONT = "12px system-ui, sans-serif";

  function fraction(scale, z) {
    if (scale.log) return Math.log(z / scale.lower) / Math.log(scale.upper / scale.lower);
    return (z - scale.lower) / (scale.upper - scale.lower);
  }

  function coordinate(scale, f) {
    if (f <= 0) return scale.lower;
    if (f >= 1) return scale.upper;
    if (scale.log) return Math.min(scale.upper, scale.lower * Math.exp(f * Math.log(scale.upper / scale.lower)));
    return scale.lower + f * (scale.upper - scale.lower);
  }

  // At most about `count` round numbers between the ends; 1, 2, 5, 10, .. on a logarithmic scale of less than three
  // decades, powers of ten on a longer one.
  function ticks(scale, count) {
    const { lower, upper } = scale, slack = 1e-9 * (upper - lower), found = [];
    if (scale.log && upper / lower > 4) {
      const decades = Math.log10(upper / lower), every = Math.max(1, Math.ceil(decades / count));
      const steps = decades < 3 && count > 3 ? [1, 2, 5] : [1];
      for (let power = Math.floor(Math.log10(lower)); power <= Math.log10(upper); power += every)
        for (const step of steps) {
          const tick = Number(`${step}e${power}`);
          if (tick >= lower * (1 - 1e-9) && tick <= upper * (1 + 1e-9)) found.push(tick);
        }
      return found;
    }
    const rough = (upper - lower) / count, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) || 10 * power;
    for (let i = Math.ceil((lower - slack) / step); i * step <= upper + slack; ++i)
      found.push(Number((i * step).toPrecision(12)));
    return found;
  }

  function tickLabel(value) {
    const size = Math.abs(value), plain = value === 0 || (size >= 1e-4 && size < 1e5);
    const text = plain ? String(Number(value.toPrecision(8))) : value.toExponential().replace("e+", "e");
    return text.replaceAll("-", "−");
  }

  // The canvas as large as its place on the screen, in CSS pixels, erased.
  function prepare(canvas) {
    const { width, height } = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = FONT;
    pen.lineJoin = "round";
    return { pen, width, height };
  }

  // Room for labels around the drawing.
  function box(width, height, right) {
    return { x: 64, y: 26, width: Math.max(10, width - 64 - right), height: Math.max(10, height - 26 - 44) };
  }

  const across = (at, scale, z) => at.x + at.width * fraction(scale, z);
  const up = (at, scale, z) => at.y + at.height * (1 - fraction(scale, z));

  function frame(pen, at, h, v) {
    pen.strokeStyle = FRAME;
    pen.fillStyle = INK;
    pen.lineWidth = 1;
    pen.strokeRect(at.x + 0.5, at.y + 0.5, at.width - 1, at.height - 1);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const tick of ticks(h, Math.max(2, Math.round(at.width / 90)))) {
      line(pen, across(at, h, tick), at.y + at.height, 0, 5);
      pen.fillText(tickLabel(tick), across(at, h, tick), at.y + at.height + 7);
    }
    pen.fillText(h.label, at.x + at.width / 2, at.y + at.height + 25);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const tick of ticks(v, Math.max(2, Math.round(at.height / 55)))) {
      line(pen, at.x, up(at, v, tick), -5, 0);
      pen.fillText(tickLabel(tick), at.x - 8, up(at, v, tick));
    }
    pen.save();
    pen.translate(12, at.y + at.height / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(v.label, 0, 0);
    pen.restore();
  }

  function line(pen, x, y, dx, dy) {
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + dx, y + dy);
    pen.stroke();
  }

  function title(pen, at, text, failed) {
    pen.textBaseline = "top";
    pen.textAlign = "left";
    pen.fillStyle = QUIET;
    pen.fillText(text, at.x, 6);
    if (!failed) return;
    pen.textAlign = "right";
    pen.fillStyle = "#B34700";
    pen.font = "bold " + FONT;
    pen.fillText("FAILED", at.x + at.width, 6);
    pen.font = FONT;
  }

  // curves: [{values, colour, name}] over the points `places` along h; mark: a place with the curves' values there.
  function drawCurves(canvas, { h, v, places, curves, mark, text, failed }) {
    const { pen, width, height } = prepare(canvas), at = box(width, height, 16);
    pen.save();
    pen.beginPath();
    pen.rect(at.x, at.y, at.width, at.height);
    pen.clip();
    pen.strokeStyle = "#999";
    pen.setLineDash([4, 3]);
    line(pen, across(at, h, mark), at.y, 0, at.height);
    pen.setLineDash([]);
    pen.lineWidth = 1.8;
    for (const { values, colour, at: dot } of curves) {
      pen.strokeStyle = pen.fillStyle = colour;
      pen.beginPath();
      values.forEach((value, i) => {
        if (!Number.isFinite(value)) return;
        const x = across(at, h, places[i]), y = Math.min(1e6, Math.max(-1e6, up(at, v, value)));
        if (i > 0 && Number.isFinite(values[i - 1])) pen.lineTo(x, y);
        else pen.moveTo(x, y);
      });
      pen.stroke();
      pen.beginPath();
      pen.arc(across(at, h, mark), up(at, v, dot), 4, 0, 2 * Math.PI);
      pen.fill();
    }
    pen.restore();
    frame(pen, at, h, v);
    title(pen, at, text, failed);
    return at;
  }

  // The colours of values, row-major (v, h) or with `transposed` (h, v), as a small image whose first row is the top.
  function paint(image, values, columns, rows, transposed, range, colours) {
    const pixels = new Uint32Array(image.data.buffer), factor = colours.length / (range.upper - range.lower);
    for (let j = 0, pixel = 0; j < rows; ++j) {
      const row = rows - 1 - j;
      for (let i = 0; i < columns; ++i, ++pixel) {
        const value = transposed ? values[i * rows + row] : values[row * columns + i];
        const place = (value - range.lower) * factor;
        pixels[pixel] = place >= 0 ? colours[Math.min(colours.length - 1, Math.floor(place))]
                                   : place < 0 ? colours[0] : 0xffbbbbbb; // grey: not a number
      }
    }
  }

  // A table of colours out of bytes r, g, b, as the 32-bit numbers of ImageData (a, b, g, r on these machines).
  function colourTable(bytes) {
    const table = new Uint32Array(bytes.length / 3);
    for (let i = 0; i < table.length; ++i)
      table[i] = (255 << 24) | (bytes[3 * i + 2] << 16) | (bytes[3 * i + 1] << 8) | bytes[3 * i];
    return table;
  }

  // tile: a canvas with the painted image; aspect: height over width of the drawing, or null for all the room there is,
  // which a flat drawing takes less of.
  function drawPicture(canvas, { h, v, tile, aspect, mark, range, bar, text, failed }) {
    canvas.style.height = "";
    if (aspect !== null) {
      const { width, height } = canvas.getBoundingClientRect(), needed = box(width, height, 92).width * aspect + 70;
      if (needed < height) canvas.style.height = `${Math.max(160, Math.round(needed))}px`;
    }
    const { pen, width, height } = prepare(canvas), at = box(width, height, 92);
    if (aspect !== null) {
      const w = Math.min(at.width, at.height / aspect);
      at.height = w * aspect;
      at.width = w;
    }
    pen.imageSmoothingEnabled = true;
    pen.drawImage(tile, at.x, at.y, at.width, at.height);
    for (const [colour, thickness] of [["rgba(255,255,255,0.8)", 3], ["rgba(0,0,0,0.75)", 1]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = thickness;
      pen.beginPath();
      pen.arc(across(at, h, mark.h), up(at, v, mark.v), 6, 0, 2 * Math.PI);
      pen.stroke();
    }
    frame(pen, at, h, v);
    title(pen, at, text, failed);
    const x = at.x + at.width + 14;
    pen.imageSmoothingEnabled = false;
    pen.drawImage(bar, x, at.y, 14, at.height);
    pen.strokeRect(x + 0.5, at.y + 0.5, 13, at.height - 1);
    pen.fillStyle = INK;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    for (const tick of ticks(range, Math.max(2, Math.round(at.height / 55)))) {
      line(pen, x + 14, up(at, range, tick), 4, 0);
      pen.fillText(tickLabel(tick), x + 21, up(at, range, tick));
    }
    pen.textBaseline = "top";
    pen.fillText(range.label, x, 6);
    return at;
  }

  return { fraction, coordinate, ticks, tickLabel, colourTable, paint, drawCurves, drawPicture };
})();

if (typeof module !== "undefined") module.exports = GwrmDrawing;
