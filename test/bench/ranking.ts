import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptOptions } from "../options.js";
import { root } from "./library.js";

/**
 * Many queries against many documents by MaxSim: `sphex score --judgments` beside a script that reads the same files and has
 * a loop for each dimension. Run by `npm run bench:ranking`. Each has a process of its own, and its time is that of its
 * processors, so that a busy machine does not decide.
 */
const { values } = scriptOptions({
  options: {
    queries: { type: "string", default: "1000" },
    documents: { type: "string", default: "10000" },
  },
});
const [queries, documents] = [Number(values.queries), Number(values.documents)];

const most = 1.3;
/** How many vectors a query and a document have, and how long these are. */
const [queryVectors, documentVectors, length] = [8, 16, 32];

const schema = `schema doc {
  document doc {
    field v type tensor<float>(t{},x[${length}]) { indexing: attribute }
  }
  rank-profile maxsim {
    inputs {
      query(q) tensor<float>(s{},x[${length}])
    }
    first-phase {
      expression: sum(reduce(sum(query(q) * attribute(v), x), max, t), s)
    }
  }
}
`;

/** What a programmer writes: numbers in arrays, the best of each vector added up, and the hits in order. */
const loop = `
import { readFileSync } from "node:fs";
const lines = (name) => readFileSync(name, "utf8").trim().split("\\n").map((each) => JSON.parse(each));
const cells = (blocks) => Float32Array.from(Object.values(blocks).flat());
const documents = lines("documents.jsonl").map(({ put, fields }) => ({ id: put, v: cells(fields.v) }));
const judged = readFileSync("qrels.txt", "utf8").trim().split("\\n").map((each) => each.split(" "));
const relevant = new Map(judged.map(([query, , document]) => [query, document]));
let reciprocal = 0;
const queries = lines("queries.jsonl");
for (const query of queries) {
  const q = cells(query["input.query(q)"]);
  const scores = documents.map(({ id, v }) => {
    let score = 0;
    for (let s = 0; s < q.length; s += ${length}) {
      let best = -Infinity;
      for (let t = 0; t < v.length; t += ${length}) {
        let sum = 0;
        for (let x = 0; x < ${length}; x++) sum += q[s + x] * v[t + x];
        if (sum > best) best = sum;
      }
      score += best;
    }
    return { id, score };
  });
  scores.sort((a, b) => b.score - a.score);
  const rank = scores.findIndex(({ id }) => id === relevant.get(query.id));
  if (rank >= 0) reciprocal += 1 / (rank + 1);
}
console.log(JSON.stringify({ mrr: reciprocal / queries.length }));
`;

/** Numbers by chance, the same each time. */
let state = 1;
const number = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return Math.round((state / 2_147_483_647 - 0.5) * 1000) / 1000;
};
const blocks = (count: number): Record<string, number[]> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, Array.from({ length }, number)]));

const folder = mkdtempSync(join(tmpdir(), "sphex-bench-ranking-"));
try {
  mkdirSync(join(folder, "app", "schemas"), { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const lines = (count: number, line: (at: number) => unknown): string =>
    Array.from({ length: count }, (_, at) => `${JSON.stringify(line(at))}\n`).join("");
  write("app/schemas/doc.sd", schema);
  write("loop.mjs", loop);
  // Says at the end how long the processors worked for the process, in milliseconds.
  write(
    "times.cjs",
    'process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write("\\ncpu " + (user + system) / 1000 + "\\n"); });',
  );
  const id = (at: number): string => `id:bench:doc::${at}`;
  write(
    "documents.jsonl",
    lines(documents, (at) => ({ put: id(at), fields: { v: blocks(documentVectors) } })),
  );
  write(
    "queries.jsonl",
    lines(queries, (at) => ({ id: `q${at}`, "input.query(q)": blocks(queryVectors) })),
  );
  write(
    "qrels.txt",
    Array.from({ length: queries }, (_, at) => `q${at} 0 ${id(at % documents)} 1\n`).join(""),
  );

  const run = (name: string, words: readonly string[]): number => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--require", "./times.cjs", ...words], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    const time = Number(/cpu ([\d.]+)\s*$/.exec(stderr)?.[1]);
    if (status !== 0 || Number.isNaN(time)) throw new Error(`${name} failed: ${stderr}`);
    console.log(`${name}: ${(time / 1000).toFixed(1)} s, MRR ${mrrIn(stdout)}`);
    return time;
  };
  console.log(`${queries} queries × ${documents} documents by MaxSim`);
  const command = [join(root, "bin", "sphex.js"), "score", "app", "--profile", "maxsim", "--json"];
  const files = ["--queries", "queries.jsonl", "--documents", "documents.jsonl", "--judgments", "qrels.txt"];
  const ratio = run("sphex score", [...command, ...files]) / run("a loop by hand", ["loop.mjs"]);
  console.log(`${ratio.toFixed(2)} of the loop; at most ${most}`);
  process.exitCode = ratio <= most ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The mean reciprocal rank that a run found. */
function mrrIn(stdout: string): string {
  const found = /"mrr[^"]*":\s*(?:\{"mean":\s*)?([\d.e-]+)/i.exec(stdout);
  return found === null ? "?" : Number(found[1]).toFixed(6);
}
