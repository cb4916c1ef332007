import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { main } from "../../../src/cli/main.js";
import type { Io } from "../../../src/cli/terminal/io.js";
import type { Choice } from "../../hunt/choice.js";
import { Grammar } from "../grammar.js";
import { Broken, demand, type Surface, textSurface } from "../surface.js";

/** What commands save to go on from: files of `run --state` and of `train --checkpoint`, which somebody may have changed or made. */

// biome-ignore format: a grammar
const grammar = new Grammar({
  state:      ["<object>", "<object>", '{"sphex":"state","version":<number>,"tensors":<value>}', '{<member*,>}'],
  object:     ['{"sphex":"state","version":1,"tensors":{<tensor*,>}}', '{"sphex":"state","version":1,"tensors":{"n":<scalar>,"t":<mapped>}}'],
  checkpoint: ['{"sphex":"checkpoint","version":1,"epoch":<number>,"step":<number>,"tensors":{<tensor*,>}}', '{"sphex":"checkpoint","version":1,"epoch":1,"step":<number>,"tensors":{"n":<scalar>,"t":<mapped>,<moment>},"best":<best>}', '{"sphex":"checkpoint","version":1,"epoch":1,"step":2,"tensors":{"n":<scalar>,"t":"tensor(k{}):{a:1.0,b:2.0}",<moment>}}', "{<member*,>}"],
  best:       ['{"epoch":<number>,"loss":<number>,"tensors":{"n":<scalar>,"t":<mapped>}}', "<value>"],
  member:     ['"sphex":"state"', '"sphex":"checkpoint"', '"version":<number>', '"epoch":<number>', '"step":<number>', '"tensors":{<tensor*,>}', '"tensors":<value>', '"best":<best>', "<name>:<value>"],
  tensor:     ['"n":<scalar>', '"t":<mapped>', "<moment>", "<name>:<text>", "<name>:<value>"],
  moment:     ['"training@step":<scalar>,"training@m0":<scalar>,"training@v0":<scalar>,"training@m1":<mapped>,"training@v1":<mapped>', '"training@step":"tensor():{1.0}","training@m0":<scalar>,"training@v0":<scalar>,"training@m1":<mapped>,"training@v1":"tensor(k{}):{a:1.0,b:2.0}"', '"training@step":<scalar>', '"training@v0":<scalar>'],
  name:       ['"n"', '"t"', '"x"', '""', '"__proto__"', '"constructor"', '"n n"', '"\\u001b[31m"', '"n":1,"n"'],
  scalar:     ['"tensor():{1.5}"', '"tensor():{0.0}"', '"1"', '"NaN"', '"tensor():{Infinity}"', '"tensor<int8>():{1}"', "<text>"],
  mapped:     ['"tensor(k{}):{a:1.0,b:2.0}"', '"tensor(k{}):{}"', '"tensor(k{}):{a:1,a:2}"', '"tensor(j{}):{a:1}"', '"tensor(k[2]):[1,2]"', "<text>"],
  text:       ['""', '"tensor(x[3]):[1,2]"', '"tensor(x[1000000000]):[1]"', '"tensor(k{}):{\'a\':nan}"', '"tensor("', '"tensor(k{}):{a:1e400}"', '"1 + 1"', '"\\ud800"'],
  number:     ["0", "1", "2", "-1", "1.5", "1e9", "1e400", "-1e300", '"1"', "null"],
  value:      ["<number>", "<text>", "[<value*,>]", "{<member*,>}", "true", "null"],
});

const program = "persistent n = 0\npersistent t = tensor(k{}):{a:1}\nassign n = n + 1\nassign t = t * n\nn";
const training =
  "input x: tensor(b[])\nvariable n = 1\nvariable t = tensor(k{}):{a:1,b:2}\nloss = sum((n * x - 2)^2) + sum(t * t)\nminimise loss";

/** An exit code that only a defect of Sphex has. */
const internal = 70;

/** Runs the command on a saved file: the file of one that fails is as it was, and that of one that succeeds is read again. */
async function attemptSaved(text: string, source: string, words: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sphex-fuzz-"));
  const written: string[] = [];
  const sink = (): Writable =>
    new Writable({ write: (chunk, _, done) => done(void written.push(`${chunk}`)) });
  const run = (): Promise<number> => {
    const io: Io = {
      ...{ stdin: Readable.from([]), stdout: sink(), stderr: sink(), cwd: folder, env: {} },
      isTTY: { stdin: false, stderr: false },
      repl: () => Promise.reject(new Error("no terminal")),
    };
    return main(words, io);
  };
  try {
    const path = join(folder, "saved.json");
    writeFileSync(join(folder, "p.sphex"), source);
    writeFileSync(path, text);
    const before = readFileSync(path, "utf8");
    const code = await run();
    if (code === internal) throw new Broken(`it ends with ${internal}: ${written.join("")}`);
    if (code !== 0) demand(readFileSync(path, "utf8") === before, "what failed changed the saved file");
    else if ((await run()) !== 0) throw new Broken(`what it saved cannot be read: ${written.join("")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const from = (rule: string) => (choice: Choice) => grammar.derive(rule, choice);

const trainOf = (optimiser: string): readonly string[] => [
  ...["train", "p.sphex", "--checkpoint", "saved.json", "--epochs", "2"],
  ...["--set", "x=tensor(b[2]):[1,2]", "--optimiser", optimiser],
];

export const savedSurfaces: readonly Surface[] = [
  textSurface({
    name: "state file",
    weight: 0.2,
    derive: from("state"),
    attempt: (text) => attemptSaved(text, program, ["run", "p.sphex", "--state", "saved.json"]),
  }),
  textSurface({
    name: "checkpoint",
    weight: 0.2,
    derive: from("checkpoint"),
    attempt: (text, choice) => attemptSaved(text, training, trainOf(choice.oneOf(["sgd", "adam"]))),
  }),
];
