// The answer of a result file: series along every axis, summed at points. No drawing, no document: tests load this file
// into node.
//
//   u(t, p, .., y, x) = sum over i, j, .., k of a[i, j, .., k] f_i(t) g_j(p) .. h_k(x)
//
// with the functions of one window in time and of one subdomain along each axis. Axes that hold still are summed first,
// so that what is left to do for a picture is small.
//
// An answer is what live_data.py writes, with `numbers`, a Float64Array of all coefficients:
//   axes      [{name, kind, lower, upper, log, basis, ..}], outermost first: time, parameters, z, y, x
//             basis "chebyshev", "fourier" (1, cos, sin, cos 2, sin 2, ..), or "polynomials", orthonormal by their
//             recurrence a, b of xi, or of (z - centre)/deviation where the axis has these
//   time      name of the axis that is divided into windows, or null
//   windows   [{start, end, edges: {axis: [..]}}]; edges of the subdomains of the axes other than time
//   unknowns  [{name, axes, windowed, parts: [{offset, shape, step}]}], a part for each window; its numbers are an
//             array with the dimensions (subdomains, functions) for each of `axes`, the last one fastest
"use strict";

const GwrmSeries = (() => {
  // Values f_k(z), k = 0 .. n - 1, into out[place], out[place + 1], ..: the functions of one subdomain.
  function fillRow(axis, lower, upper, z, n, out, place) {
    if (axis.basis === "fourier") return fourierRow((z - lower) / (upper - lower), n, out, place);
    if (axis.basis === "polynomials") return orthonormalRow(axis, variable(axis, lower, upper, z), n, out, place);
    chebyshevRow(axis, lower, upper, z, n, out, place);
  }

  // Distances from both ends in units of half the interval; on a logarithmic axis of half its logarithm. Differences of
  // neighbouring numbers, which lose no digits near the ends.
  function distances(axis, lower, upper, z) {
    if (axis.log) {
      const half = Math.log(upper / lower) / 2;
      return [Math.log1p((z - lower) / lower) / half, Math.log1p((upper - z) / z) / half];
    }
    const half = (upper - lower) / 2;
    return [(z - lower) / half, (upper - z) / half];
  }

  // T_k by Reinsch's form of the recurrence: with s = 1 - |xi| and d_k = T_(k+1) - T_k at |xi|,
  // d_k = d_(k-1) - 2 s T_k, d_0 = -s. Round-off near the ends grows with k, that of 2 xi T_k - T_(k-1) with k^2.
  function chebyshevRow(axis, lower, upper, z, n, out, place) {
    const [left, right] = distances(axis, lower, upper, z);
    const s = Math.min(1, Math.max(0, Math.min(left, right)));
    const side = left < right ? -1 : 1; // T_k(-x) = (-1)^k T_k(x)
    let value = 1, difference = s, sign = 1;
    for (let k = 0; k < n; ++k) {
      out[place + k] = sign * value;
      difference -= 2 * s * value;
      value += difference;
      sign *= side;
    }
  }

  // Whole turns are taken off k s before the sine, which keeps its last digits for high wavenumbers.
  function fourierRow(s, n, out, place) {
    out[place] = 1;
    for (let k = 1; 2 * k < n + 1; ++k) {
      const angle = 2 * Math.PI * (k * s - Math.floor(k * s));
      out[place + 2 * k - 1] = Math.cos(angle);
      if (2 * k < n) out[place + 2 * k] = Math.sin(angle);
    }
  }

  function variable(axis, lower, upper, z) {
    if (axis.deviation !== undefined) return ((axis.log ? Math.log(z) : z) - axis.centre) / axis.deviation;
    const [left, right] = distances(axis, lower, upper, z);
    return Math.min(1, Math.max(-1, (left - right) / 2));
  }

  // sqrt(b_(k+1)) p_(k+1) = (x - a_k) p_k - sqrt(b_k) p_(k-1).
  function orthonormalRow(axis, x, n, out, place) {
    out[place] = 1;
    for (let k = 0; k + 1 < n; ++k) {
      const before = k > 0 ? Math.sqrt(axis.b[k]) * out[place + k - 1] : 0;
      out[place + k + 1] = ((x - axis.a[k]) * out[place + k] - before) / Math.sqrt(axis.b[k + 1]);
    }
  }

  // The first interval whose end is not below z: start < z <= end, the first one with its start too.
  function intervalOf(edges, z) {
    let low = 0, high = edges.length - 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edges[middle + 1] >= z) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // out[to + i] += sum over k of f[at + k] array[from + k inner + i], i = 0 .. inner - 1; four k at a time, for speed.
  function addMultiples(out, to, array, from, inner, f, at, n) {
    let k = 0;
    for (; k + 3 < n; k += 4) {
      const f0 = f[at + k], f1 = f[at + k + 1], f2 = f[at + k + 2], f3 = f[at + k + 3];
      const a0 = from + k * inner, a1 = a0 + inner, a2 = a1 + inner, a3 = a2 + inner;
      for (let i = 0; i < inner; ++i)
        out[to + i] += f0 * array[a0 + i] + f1 * array[a1 + i] + (f2 * array[a2 + i] + f3 * array[a3 + i]);
    }
    for (; k < n; ++k)
      for (let i = 0, a = from + k * inner; i < inner; ++i) out[to + i] += f[at + k] * array[a + i];
  }

  // out[to] = sum over k of f[at + k] array[from + k], with `from` further by `step` and `to` by `points` for each of
  // `count` rows; four rows at a time, for speed.
  function dots(out, to, points, array, from, step, count, f, at, n) {
    let o = 0;
    for (; o + 3 < count; o += 4, from += 4 * step, to += 4 * points) {
      const a1 = from + step, a2 = a1 + step, a3 = a2 + step;
      let s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      for (let k = 0; k < n; ++k) {
        const fk = f[at + k];
        s0 += fk * array[from + k];
        s1 += fk * array[a1 + k];
        s2 += fk * array[a2 + k];
        s3 += fk * array[a3 + k];
      }
      out[to] = s0;
      out[to + points] = s1;
      out[to + 2 * points] = s2;
      out[to + 3 * points] = s3;
    }
    for (; o < count; ++o, from += step, to += points) {
      let sum = 0;
      for (let k = 0; k < n; ++k) sum += f[at + k] * array[from + k];
      out[to] = sum;
    }
  }

  // array (outer, pieces, n, inner) -> (outer, points, inner), with {piece, rows, stride} of `tabulate`.
  function sumAlong(array, outer, pieces, n, inner, { piece, rows, stride }) {
    const points = piece.length, out = new Float64Array(outer * points * inner);
    for (let j = 0; j < points; ++j) {
      const row = j * stride, first = piece[j] * n * inner, step = pieces * n * inner;
      if (inner === 1) dots(out, j, points, array, first, step, outer, rows, row, n);
      else
        for (let o = 0; o < outer; ++o)
          addMultiples(out, (o * points + j) * inner, array, first + o * step, inner, rows, row, n);
    }
    return out;
  }

  class Answer {
    constructor(data) {
      Object.assign(this, data);
      this.axis = Object.fromEntries(this.axes.map((axis) => [axis.name, axis]));
      this.timeEdges = this.time === null ? null : [...this.windows.map((w) => w.start), this.windows.at(-1).end];
      for (const w of this.windows) if (this.time !== null) w.edges[this.time] = [w.start, w.end];
      this.most = {}; // functions along each axis, the most of all unknowns and windows
      for (const unknown of this.unknowns)
        for (const part of unknown.parts)
          unknown.axes.forEach((name, i) => (this.most[name] = Math.max(this.most[name] || 1, part.shape[2 * i + 1])));
      this.tables = new WeakMap(); // of points: what was tabulated there
      this.runs = new WeakMap(); // of times: their windows
    }

    // Time is an axis of an unknown that has another number in every window, too.
    axesOf(unknown) {
      const all = unknown.windowed && !unknown.axes.includes(this.time) ? [this.time, ...unknown.axes] : unknown.axes;
      return this.axes.map((axis) => axis.name).filter((name) => all.includes(name));
    }

    // What the functions of an axis are at one point.
    rowAt({ name, n }, edges, z) {
      const p = intervalOf(edges, z), rows = new Float64Array(n);
      fillRow(this.axis[name], edges[p], edges[p + 1], z, n, rows, 0);
      return { piece: [p], rows, stride: n };
    }

    // What the functions of an axis are at points, for one set of edges; kept for as long as the array of points is.
    tabulate(name, edges, points) {
      if (!this.tables.has(points)) this.tables.set(points, new Map());
      const kept = this.tables.get(points), key = [name, ...edges].join();
      if (kept.has(key)) return kept.get(key);
      const axis = this.axis[name], stride = this.most[name];
      const table = { stride, piece: new Int32Array(points.length), rows: new Float64Array(points.length * stride) };
      points.forEach((z, j) => {
        const p = (table.piece[j] = intervalOf(edges, z));
        fillRow(axis, edges[p], edges[p + 1], z, stride, table.rows, j * stride);
      });
      kept.set(key, table);
      return table;
    }

    // Ascending times as runs that lie in one window each; kept likewise.
    runsOf(points) {
      if (!this.runs.has(points)) {
        const runs = [];
        for (let first = 0, last; first < points.length; first = last) {
          const window = intervalOf(this.timeEdges, points[first]);
          for (last = first + 1; last < points.length && intervalOf(this.timeEdges, points[last]) === window;) ++last;
          runs.push({ window, first, points: points.subarray(first, last) });
        }
        this.runs.set(points, runs);
      }
      return this.runs.get(points);
    }

    // The unknown with all axes at `point` ({axis: z}) but those of `along`: a list of none, one or two {axis, points},
    // axes in the order of the answer, points (Float64Array) ascending. Row-major over `along`.
    values(unknown, point, along = []) {
      const counts = along.map((one) => one.points.length), total = counts.reduce((a, b) => a * b, 1);
      const inTime = unknown.windowed ? along.findIndex((one) => one.axis === this.time) : -1;
      if (inTime < 0) {
        const window = unknown.windowed ? intervalOf(this.timeEdges, point[this.time]) : 0;
        return this.inWindow(unknown, window, point, along);
      }
      const out = new Float64Array(total), other = total / counts[inTime]; // time is the first axis
      for (const run of this.runsOf(along[inTime].points)) {
        const here = along.map((one, i) => (i === inTime ? { axis: one.axis, points: run.points } : one));
        const part = this.inWindow(unknown, run.window, point, here);
        if (unknown.axes.includes(this.time)) out.set(part, run.first * other);
        else for (let j = 0; j < run.points.length; ++j) out.set(part, (run.first + j) * other);
      }
      return out;
    }

    inWindow(unknown, window, point, along) {
      const { offset, shape } = unknown.parts[unknown.windowed ? window : 0], edges = this.windows[window].edges;
      const dims = unknown.axes.map((name, i) => ({ name, pieces: shape[2 * i], n: shape[2 * i + 1] }));
      const size = (list) => list.reduce((product, one) => product * (one.size || one.pieces * one.n), 1);
      let array = this.numbers.subarray(offset, offset + size(dims));
      const sum = (dim, left, table) => {
        const at = left.indexOf(dim), [outer, inner] = [size(left.slice(0, at)), size(left.slice(at + 1))];
        array = sumAlong(array, outer, dim.pieces, dim.n, inner, table);
      };
      const points = Object.fromEntries(along.map((one) => [one.axis, one.points]));
      let left = dims;
      for (const dim of dims.filter((one) => !points[one.name])) {
        sum(dim, left, this.rowAt(dim, edges[dim.name], point[dim.name]));
        left = left.filter((one) => one !== dim);
      }
      for (const dim of left) {
        sum(dim, left, this.tabulate(dim.name, edges[dim.name], points[dim.name]));
        dim.size = points[dim.name].length;
      }
      return array;
    }
  }

  // The coefficients of all unknowns, a Float64Array: base64 of gzip of the lowest bytes of all integers, then the next
  // ones, ..; 0, 1, 2, 3, .. are 0, -1, 1, -2, .., times the step of their part.
  async function unpack(text, unknowns) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const planes = new Uint8Array(await new Response(stream).arrayBuffer()), count = planes.length / 8;
    const numbers = new Float64Array(count);
    for (let plane = 7; plane >= 0; --plane)
      for (let i = 0; i < count; ++i) numbers[i] = 256 * numbers[i] + planes[plane * count + i];
    for (const { offset, shape, step } of unknowns.flatMap((one) => one.parts))
      for (let i = offset, end = offset + shape.reduce((a, b) => a * b, 1); i < end; ++i)
        numbers[i] = step * (numbers[i] % 2 === 0 ? numbers[i] / 2 : -(numbers[i] + 1) / 2);
    return numbers;
  }

  return { Answer, fillRow, intervalOf, unpack };
})();

if (typeof module !== "undefined") module.exports = GwrmSeries;
