// A server that evaluates what anybody sends. A text of the language cannot loop, read files or call out; what it could do is
// take long and take memory, and both have limits. `node examples/library/server.js` asks it four times, and ends.

import { createServer } from "node:http";
import { compile, SphexError, showTensor } from "sphex";

const limits = { cells: 100_000, bytes: 16 * 2 ** 20, steps: 10_000_000, time: 5000 };
const largestRequest = 10_000;

/** The answer to a request, as a status and data. */
async function answer(text, signal) {
  try {
    const program = compile(text, { name: "request", limits, clock: () => performance.now() });
    const { results } = await program.runAllAsync({}, { signal });
    return [200, { results: results.map((each) => showTensor(each, { format: "literal" })) }];
  } catch (error) {
    // Whatever is wrong with a text is a SphexError. Anything else is a mistake of the server's.
    if (!(error instanceof SphexError)) throw error;
    return [400, { problems: error.problems.map(({ code, message }) => ({ code, message })) }];
  }
}

/** The text of a request; nothing where it is too long, or who sends it goes away, which ends the loop with an error. */
async function textOf(request) {
  let text = "";
  try {
    for await (const piece of request.setEncoding("utf8")) {
      text += piece;
      if (text.length > largestRequest) return undefined;
    }
  } catch {
    return undefined;
  }
  return text;
}

const server = createServer(async (request, response) => {
  // Who goes away is not computed for any longer.
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const text = await textOf(request);
  if (text === undefined) return response.writeHead(413).end();
  const [status, data] = await answer(text, gone.signal);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
});

await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();

// One who goes away in the middle of a request, and then three who stay.
async function* half() {
  yield "softmax(";
  throw new Error("gone");
}
const leaving = { method: "POST", body: ReadableStream.from(half()), duplex: "half" };
await fetch(`http://127.0.0.1:${port}`, leaving).catch(() => undefined);

for (const body of [
  "softmax(tensor(x[2]):[0,0], x)",
  "sum(tensor(x[9])(x)) + summ(3)",
  "sum(tensor(x[10000])(x) * tensor(y[10000])(y))",
]) {
  const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body });
  const { results, problems } = await response.json();
  console.log(response.status, results?.join() ?? problems.map(({ code }) => code).join());
}
server.close();

//> 200 tensor(x[2]):[0.5, 0.5]
//> 400 name/unknown-function
//> 400 limit/steps
