import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Command, command } from "../../command.js";
import { patient } from "../../patience.js";
import { sphexArguments, stepsIn } from "../../walk.js";

/**
 * The walk in examples/rank-profiles/README.md, done to the letter in a copy: commands print what stands below them, the
 * block of YAML becomes the file that the text before it names, and the block without a language takes the place of the
 * expression that it is about.
 */
const example = fileURLToPath(new URL("../../../examples/rank-profiles", import.meta.url));
const place = "examples/rank-profiles";

function copied(): Command {
  const own = command();
  cpSync(example, join(own.folder, place), { recursive: true });
  return own;
}

interface Block {
  readonly language: string;
  readonly text: string;
  /** What is said before it. */
  readonly before: string;
}

function blocks(): Block[] {
  const readme = readFileSync(join(example, "README.md"), "utf8");
  return [...readme.matchAll(/([\s\S]*?)^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, before = "", language = "", text = ""]) => ({ language, text, before }),
  );
}

test("the walk from a clone to a test that fails, and to one that passes", patient, async () => {
  const own = copied();
  const done: string[] = [];
  for (const { language, text, before } of blocks()) {
    if (language === "yaml") {
      const [, name = ""] = /`([^`]+\.rank-test\.yaml)`:\s*$/.exec(before) ?? [];
      writeFileSync(join(own.folder, name), text);
      done.push("test written");
    } else if (language === "") {
      if (!text.includes("expression:")) continue;
      const schema = join(own.folder, place, "schemas/article.sd");
      const old = "      expression: log10(1 + attribute(readers))\n";
      const content = readFileSync(schema, "utf8");
      expect(content).toContain(old);
      writeFileSync(
        schema,
        content.replace(old, () => text),
      );
      done.push("function mended");
    } else {
      for (const { line, printed } of stepsIn(text)) {
        const words = sphexArguments(line);
        if (words === undefined) continue;
        const { code, out, err } = await own.run(words);
        expect(out + err, line).toBe(printed);
        done.push(code === 0 ? "fine" : "failed");
      }
    }
  }
  expect(done).toEqual([
    ...["fine", "fine", "test written", "failed", "function mended", "fine"],
    // One document, five commands that ask whether a change is better, and what moves.
    ...["fine", "fine", "fine", "fine", "fine", "fine", "fine"],
  ]);
});

test("tests of its response pass", async () => {
  const own = copied();
  const captured = await own.run(["capture", `${place}/response.json`, place, "--profile", "hybrid"]);
  expect(captured.err).toBe("");
  writeFileSync(join(own.folder, place, "tests/captured.rank-test.yaml"), captured.out);
  expect(await own.run(["test", `${place}/tests/captured.rank-test.yaml`])).toMatchObject({
    code: 0,
    err: "",
  });
});

test("the workflow checks and tests it", () => {
  const workflow = readFileSync(join(example, "ci.yaml"), "utf8");
  expect(workflow).toContain('npx sphex check --github "$PACKAGE"');
  expect(workflow).toContain('npx sphex test "$PACKAGE" --junit');
});
