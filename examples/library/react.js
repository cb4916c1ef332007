// A component of React that shows the value of an expression, or what is wrong with it. A program is compiled when its text
// changes, and run when its inputs do. Without JSX, so that this file runs as it is: `node examples/library/react.js`.

import { createElement, useMemo } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { compile, SphexError } from "sphex";

/** What a computation comes to: its value, or the problems that it ends with. */
function attempt(compute) {
  try {
    return { value: compute(), problems: [] };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { problems: error.problems };
  }
}

export function TensorValue({ text, inputs }) {
  const compiled = useMemo(() => attempt(() => compile(text)), [text]);
  const run = useMemo(() => attempt(() => compiled.value?.run(inputs)), [compiled, inputs]);
  const problems = [...compiled.problems, ...run.problems];
  if (problems.length > 0)
    return createElement(
      "ul",
      { role: "alert" },
      problems.map(({ code, message }) => createElement("li", { key: code + message }, message)),
    );
  const tensor = run.value;
  const rows = [...tensor.cells()].map(({ address, value }) => {
    const labels = tensor.type.names.map((name) => createElement("th", { key: name }, address[name]));
    return createElement("tr", { key: JSON.stringify(address) }, labels, createElement("td", null, value));
  });
  return createElement("table", null, createElement("tbody", null, rows));
}

const text = "input votes: tensor(name{})\nvotes / sum(votes)";
console.log(
  renderToStaticMarkup(createElement(TensorValue, { text, inputs: { votes: { ada: 3, bob: 1 } } })),
);
console.log(renderToStaticMarkup(createElement(TensorValue, { text, inputs: {} })));

//> <table><tbody><tr><th>ada</th><td>0.75</td></tr><tr><th>bob</th><td>0.25</td></tr></tbody></table>
//> <ul role="alert"><li>the input votes has no value</li></ul>
