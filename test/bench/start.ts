import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { library, root } from "./library.js";

/** What it costs to begin: to compile an expression, and to start the command. */

export interface Beginning {
  readonly name: string;
  /** Milliseconds, or nothing where they cannot be measured. */
  readonly find: () => number | undefined;
  /** Milliseconds. */
  readonly expected: number;
}

export interface Begun extends Beginning {
  readonly found: number | undefined;
}

/** A first phase as applications have it: text, freshness, embeddings and a little logic. */
const ranking = `
  bm25(title) * query(titleWeight) + 0.5 * bm25(body)
    + if(age > 86400 * 30, 0, 2 * exp(-age / 86400))
    + sum(query(profile) * attribute(topics))
    + max(cosine_similarity(query(q), attribute(embedding), x), 0.1)
    + sum(reduce(sum(query(qt) * attribute(tokens), x), max, dt), qt) / 32
    + sigmoid(sum(relu(sum(query(q) * constant(w1), x) + constant(b1)) * constant(w2), h))
    + (log(1 + attribute(clicks)) - log(1 + attribute(views))) / (1 + fieldMatch(title).proximity)
`;

const types: Readonly<Record<string, string>> = {
  "bm25(title)": "tensor()",
  "bm25(body)": "tensor()",
  "query(titleWeight)": "tensor()",
  age: "tensor()",
  "query(profile)": "tensor<float>(topic{})",
  "attribute(topics)": "tensor<float>(topic{})",
  "query(q)": "tensor<float>(x[128])",
  "attribute(embedding)": "tensor<float>(x[128])",
  "query(qt)": "tensor<float>(qt{},x[128])",
  "attribute(tokens)": "tensor<float>(dt{},x[128])",
  "constant(w1)": "tensor<float>(h[32],x[128])",
  "constant(b1)": "tensor<float>(h[32])",
  "constant(w2)": "tensor<float>(h[32])",
  "attribute(clicks)": "tensor()",
  "attribute(views)": "tensor()",
  "fieldMatch(title).proximity": "tensor()",
};

export const beginnings: readonly Beginning[] = [
  { name: "compiling a ranking expression, warm", find: compiling, expected: 2 },
  { name: 'user time of `sphex eval "1+1"` beyond that of `node -e 0`', find: starting, expected: 100 },
];

/** Milliseconds of a compilation, the least of many: each text is a new one. */
function compiling(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 300; round++) {
    const text = `${ranking} + ${round}`;
    const start = performance.now();
    library.compileExpression(text, { inputs: types });
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/** In turns, the least of several. */
function starting(): number | undefined {
  const command = [join(root, "bin", "sphex.js"), "eval", "1+1"];
  const times = { plain: Number.POSITIVE_INFINITY, command: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 10; round++) {
    times.plain = Math.min(times.plain, userTime(["-e", "0"]) ?? Number.NaN);
    times.command = Math.min(times.command, userTime(command) ?? Number.NaN);
  }
  const found = times.command - times.plain;
  return Number.isNaN(found) ? undefined : found;
}

/** Milliseconds that a run of Node works in its own code, as a shell tells them; nothing where there is none. */
function userTime(words: readonly string[]): number | undefined {
  const script = '"$0" "$@" > /dev/null; times';
  const { stdout, status } = spawnSync("sh", ["-c", script, process.execPath, ...words], {
    encoding: "utf8",
  });
  const [, minutes, seconds] = /\n(\d+)m([\d.]+)s/.exec(stdout ?? "") ?? [];
  return status !== 0 || seconds === undefined
    ? undefined
    : Number(minutes) * 60_000 + Number(seconds) * 1000;
}
