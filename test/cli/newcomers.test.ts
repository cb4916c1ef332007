import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command } from "../command.js";

/** What somebody sees who uses the command for the first time. */
const { run, folder } = command();

const write = (name: string, content: string | Uint8Array): void =>
  writeFileSync(join(folder, name), content);

test("a run that lacks inputs tells all of them at once, as options to be copied", async () => {
  const text =
    "input q: tensor<float>(x[2])\ninput k: tensor(k{})\ninput w: tensor() = 1\ninput big: tensor(x[100])\nsum(q) + sum(k) * w";
  write("inputs.sphex", text);
  const { code, err } = await run(["run", "inputs.sphex", "--set", "big=tensor(x[100]):{}"]).then(() =>
    run(["run", "inputs.sphex"]),
  );
  expect(code).toBe(1);
  const options = [...err.matchAll(/--set '([^']*)'/g)].map(([, option = ""]) => option);
  expect(options.map((each) => each.split("=")[0])).toEqual(["q", "k", "big"]);
  expect(options[2]).toBe("big=@big.json");
  const given = options.slice(0, 2).flatMap((each) => ["--set", each]);
  const again = await run(["run", "inputs.sphex", ...given]);
  expect(again.code).toBe(0);
});

test.each([
  {
    name: "binary.sphex",
    bytes: Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2),
    reason: "it is not text",
  },
  {
    name: "wide.sphex",
    bytes: Buffer.from("\ufeff1 + 1", "utf16le"),
    reason: "it is not text in UTF-8, but in UTF-16: save it as UTF-8",
  },
  { name: "latin.sphex", bytes: Uint8Array.of(0x22, 0xe9, 0x22), reason: "it is not text in UTF-8" },
])("$name is no program", async ({ name, bytes, reason }) => {
  write(name, bytes);
  const { code, out, err } = await run(["run", name]);
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: `sphex: cannot read ${name}: ${reason}\n` });
});

test("what comes over a pipe is run", async () => {
  expect(await run([], { stdin: ["1 + 1\n"] })).toEqual({ code: 0, out: "2.0\n", err: "" });
  expect(await run(["--seed", "1"], { stdin: ["2 ^ 3\n"] })).toMatchObject({ code: 0, out: "8.0\n" });
});
