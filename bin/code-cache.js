import { rmSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { codeFile, run, scriptOf } from "./bundle.js";

/**
 * The last step of building the command: stores the code cache of the bundle, for `bin/bundle.js`. V8 compiles a function
 * when it is first called, so the command is run on typical arguments, and its output discarded.
 */
const usual = [
  ["eval", "1 + 1"],
  ["eval", "softmax(tensor<float>(x[3]):[1, 2, 3] * q, x){x: 0}", "--set", "q=tensor(x[3]):[1,2,3]"],
  ["eval", "reduce(map(tensor(k{}):{a:1, b:2}, f(x)(if (x > 1, exp(x), -x))), max, k)", "--json"],
];

rmSync(codeFile, { force: true });
const script = scriptOf();
const { main, replaceFile } = run(script);
for (const args of usual) {
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const io = { stdin: Readable.from([]), stdout: nowhere(), stderr: nowhere(), isTTY: {}, cwd: ".", env: {} };
  if ((await main(args, io)) !== 0) throw new Error(`sphex ${args.join(" ")} does not work`);
}
// In one step: commands may be run meanwhile.
replaceFile(codeFile, script.createCachedData());
