// Evaluates the series in a live page without a browser, by the page's own script.
//
//   node evaluate_page.js PAGE SERIES_JS < questions
//
// The questions are a JSON list of {unknown, point: {axis: z}, along: [{axis, points}]}, the answers one of lists of
// values.
"use strict";

const fs = require("fs");
const path = require("path");
const Series = require(path.resolve(process.argv[3]));

const page = fs.readFileSync(process.argv[2], "utf8");
const inside = (id) => page.match(new RegExp(`<script[^>]* id="${id}">([^<]*)</script>`))[1];

(async () => {
  const data = JSON.parse(inside("answer")), numbers = await Series.unpack(inside("coefficients"), data.unknowns);
  const answer = new Series.Answer({ ...data, numbers });
  const values = JSON.parse(fs.readFileSync(0, "utf8")).map(({ unknown, point, along = [] }) => {
    const of = answer.unknowns.find((one) => one.name === unknown);
    const lists = along.map(({ axis, points }) => ({ axis, points: Float64Array.from(points) }));
    return Array.from(answer.values(of, point, lists));
  });
  process.stdout.write(JSON.stringify(values));
})();
