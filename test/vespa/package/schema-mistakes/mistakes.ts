import { readdirSync, readFileSync } from "node:fs";
import { Choice } from "../../../hunt/choice.js";

/**
 * Mistakes by chance in the schemas of public-packages, a line each as JSON, for Deploy.java.
 *
 *     npx esbuild test/vespa/package/schema-mistakes/mistakes.ts --bundle --platform=node --format=esm | node --input-type=module - SEED COUNT
 */

const folder = "test/vespa/public-packages/";
/** Those that refer to other files are left out. */
const alone = (text: string): boolean => !/\breference<|\bfile:|document \w+ inherits|: "me"/.test(text);
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sd"))
  .map((file) => ({ file, text: readFileSync(folder + file, "utf8") }))
  .filter(({ text }) => alone(text));

const [seed = "1", count = "500"] = process.argv.slice(2);
const choice = new Choice(Number(seed));

interface Piece {
  readonly text: string;
  readonly at: number;
}

const pieces = (text: string, pattern: RegExp): Piece[] =>
  Array.from(text.matchAll(pattern), (found) => ({ text: found[0], at: found.index }));

const signs = [..."{}:,()[];.-", "1", "x", '"a"', "double", "float", "attribute", "index", "inherits"];

/** A change of a text: what is taken away from a place, and what is put there. */
function change(text: string): { at: number; removed: number; inserted: string } {
  const token = choice.oneOf(pieces(text, /[A-Za-z_][\w-]*|\d+(?:\.\d+)?|\S/g));
  const word = choice.oneOf(pieces(text, /[A-Za-z_][\w-]*/g));
  const line = choice.oneOf(pieces(text, /.*\n/g));
  const replaced = ({ text: old, at }: Piece, inserted: string) => ({ at, removed: old.length, inserted });
  const within = choice.below(word.text.length);
  return choice.oneOf([
    () => replaced(token, ""),
    () => replaced(token, `${token.text} ${token.text}`),
    () => replaced(token, choice.oneOf(signs)),
    () => replaced(word, choice.oneOf(pieces(text, /[A-Za-z_][\w-]*/g)).text),
    () =>
      replaced(word, word.text.slice(0, within) + choice.oneOf(["", "x", "_"]) + word.text.slice(within + 1)),
    () => replaced(line, ""),
    () => ({ at: choice.oneOf(pieces(text, /.*\n/g)).at, removed: 0, inserted: line.text }),
  ])();
}

for (let left = Number(count); left > 0; left--) {
  const { file, text } = choice.oneOf(files);
  console.log(JSON.stringify({ file, ...change(text) }));
}
