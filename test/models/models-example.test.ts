import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { command } from "../command.js";
import { patient } from "../patience.js";
import { consoleBlocks, sphexArguments, stepsIn } from "../walk.js";

/**
 * The walk in examples/models/README.md, in a copy: each command prints what stands below it. That the models say what
 * the libraries predict stands in the tests of its rank profile, whose numbers train.py printed.
 */
const example = fileURLToPath(new URL("../../examples/models", import.meta.url));

test("the walk from the files of two models to a tested rank profile", patient, async () => {
  const own = command();
  cpSync(example, join(own.folder, "examples/models"), { recursive: true });
  const readme = readFileSync(join(example, "README.md"), "utf8");
  const commands: string[] = [];
  for (const { line, printed } of consoleBlocks(readme).flatMap(stepsIn)) {
    const words = sphexArguments(line) ?? [];
    const { code, out, err } = await own.run(words);
    expect(out + err, line).toBe(printed);
    expect(code, line).toBe(0);
    commands.push(`${words[0]}`);
  }
  expect(commands).toEqual(["import", "import", "run", "check", "test", "score"]);
});
