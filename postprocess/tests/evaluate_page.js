// Evaluates the series in a live page without a browser, by the page's own script.
//
//   node evaluate_page.js PAGE SERIES_JS < questions
//
// The questions are a JSON list of {unknown, point: {axis: z}, along: [{axis, points}]}; the answer is a list of lists of
// values, with the seconds that each took as the last entry of the output's second list.
"use strict";

const fs = require("fs");
const path = require("path");
const Series = require(path.resolve(process.argv[3]));

const page = fs.readFileSync(process.argv[2], "utf8");
const inside = (id) => page.match(new RegExp(`<script[^>]* id="${id}">([^<]*)</script>`))[1];

(async () => {
  const answer = new Series.Answer({ ...JSON.parse(inside("answer")), numbers: await Series.unpack(inside("coefficients")) });
  const values = JSON.parse(fs.readFileSync(0, "utf8")).map(({ unknown, point, along = [] }) => {
    const of = answer.unknowns.find((one) => one.name === unknown);
    const lists = along.map(({ axis, points }) => ({ axis, points: Float64Array.from(points) }));
    return Array.from(answer.values(of, point, lists));
  });
  process.stdout.write(JSON.stringify(values));
})();
