import { readdirSync, readFileSync } from "node:fs";
import { uniform } from "../../src/program/random.js";

/**
 * Mistakes by chance in the schemas of public-packages, a line each as JSON, for Deploy.java.
 *
 *     npx esbuild test/schema-mistakes/mistakes.ts --bundle --platform=node --format=esm | node --input-type=module - SEED COUNT
 */

const folder = "test/public-packages/";
/** Those that refer to other files are left out. */
const alone = (text: string): boolean => !/\breference<|\bfile:|document \w+ inherits|: "me"/.test(text);
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sd"))
  .map((file) => ({ file, text: readFileSync(folder + file, "utf8") }))
  .filter(({ text }) => alone(text));

const [seed = "1", count = "500"] = process.argv.slice(2);
const next = uniform(Number(seed));
const below = (limit: number): number => Math.floor(next() * limit);

function pick<Item>(list: readonly Item[]): Item {
  const item = list[below(list.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

interface Piece {
  readonly text: string;
  readonly at: number;
}

const pieces = (text: string, pattern: RegExp): Piece[] =>
  Array.from(text.matchAll(pattern), (found) => ({ text: found[0], at: found.index }));

const signs = [..."{}:,()[];.-", "1", "x", '"a"', "double", "float", "attribute", "index", "inherits"];

/** A change of a text: what is taken away from a place, and what is put there. */
function change(text: string): { at: number; removed: number; inserted: string } {
  const token = pick(pieces(text, /[A-Za-z_][\w-]*|\d+(?:\.\d+)?|\S/g));
  const word = pick(pieces(text, /[A-Za-z_][\w-]*/g));
  const line = pick(pieces(text, /.*\n/g));
  const replaced = ({ text: old, at }: Piece, inserted: string) => ({ at, removed: old.length, inserted });
  const within = below(word.text.length);
  return pick([
    () => replaced(token, ""),
    () => replaced(token, `${token.text} ${token.text}`),
    () => replaced(token, pick(signs)),
    () => replaced(word, pick(pieces(text, /[A-Za-z_][\w-]*/g)).text),
    () => replaced(word, word.text.slice(0, within) + pick(["", "x", "_"]) + word.text.slice(within + 1)),
    () => replaced(line, ""),
    () => ({ at: pick(pieces(text, /.*\n/g)).at, removed: 0, inserted: line.text }),
  ])();
}

for (let left = Number(count); left > 0; left--) {
  const { file, text } = pick(files);
  console.log(JSON.stringify({ file, ...change(text) }));
}
