import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { beforeAll, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Io } from "../../src/cli/terminal/io.js";
import { temporaryFolder } from "../folder.js";
import { schemaWith } from "../packages.js";

/** `sphex check` and `sphex profile` on packages that lie on the disk. */
const folder = temporaryFolder();
beforeAll(() => {
  file("app/schemas/doc.sd", schemaWith("rank-profile good { first-phase { expression: bm25(title) } }"));
  file("bad/schemas/doc.sd", schemaWith("rank-profile p { first-phase { expression: bm52(title) } }"));
  file("warned/schemas/doc.sd", schemaWith("rank-profile p { first-phase { expression: query(a) } }"));
  file("secret.expression", "1");
});

function file(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

class Collector extends Writable {
  text = "";
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }
}

async function sphex(...args: readonly string[]) {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const isTTY = { stdin: false, stderr: false };
  const repl = () => import("../../src/repl/terminal/terminal.js");
  const io: Io = { stdin: Readable.from([]), stdout, stderr, isTTY, cwd: folder, env: {}, repl };
  const code = await main(args, io);
  return { code, out: stdout.text, err: stderr.text };
}

test("a sound package is fine, and so is one with warnings", async () => {
  expect(await sphex("check", "app")).toEqual({
    code: 0,
    out: "",
    err: "1 rank profile, 0 errors, 0 warnings\n",
  });
  const warned = await sphex("check", "warned");
  expect(warned.code).toBe(0);
  expect(warned.err).toContain("query/number");
});

test("a mistake is told with its file, line and column, in three forms", async () => {
  const text = await sphex("check", "bad");
  expect(text.code).toBe(1);
  expect(text.err).toContain("bad/schemas/doc.sd:11:46");
  const { code, out } = await sphex("check", "bad", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out).problems).toMatchObject([
    { code: "feature/unknown", file: "bad/schemas/doc.sd", line: 11, column: 46 },
  ]);
  const github = await sphex("check", "bad", "--github");
  expect(github.out).toMatch(
    /^::error file=bad\/schemas\/doc\.sd,line=11,col=46,title=feature\/unknown::.*bm25\?\n$/,
  );
});

test("one schema is checked where it is, and profiles are listed with their types", async () => {
  expect((await sphex("check", "bad/schemas/doc.sd")).code).toBe(1);
  const listed = await sphex("profile", "app", "--json");
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.out).profiles).toMatchObject([
    { profile: "good", phases: [{ name: "first-phase", type: "tensor()" }] },
  ]);
  expect((await sphex("profile", "app/schemas/doc.sd")).out).toMatch(/^rank-profile good {3}\(schema doc/);
});

test("wrong use is said in a line", async () => {
  expect(await sphex("profile", "app", "--profile", "goood")).toMatchObject({
    code: 2,
    err: expect.stringContaining("did you mean good?"),
  });
  expect((await sphex("check", "nowhere.sd")).code).toBe(2);
  mkdirSync(join(folder, "empty"));
  expect(await sphex("check", "empty")).toMatchObject({
    code: 1,
    err: expect.stringContaining("package/empty"),
  });
});

test("nothing outside the package is read, by no path and by no link", async () => {
  const out = (expression: string): string =>
    schemaWith(`rank-profile p { first-phase { expression: file:${expression} } }`);
  file("up/schemas/doc.sd", out("../../secret.expression"));
  expect((await sphex("check", "up")).err).toContain("package/outside");
  file("link/schemas/doc.sd", out("inner.expression"));
  symlinkSync(join(folder, "secret.expression"), join(folder, "link/schemas/inner.expression"));
  const linked = await sphex("check", "link");
  expect(linked.code).toBe(1);
  expect(linked.err).toContain("it leads out of the package");
});

test.each([
  ["below the schemas", "own/schemas/doc.sd", "own/schemas/doc/deep/own.profile"],
  ["beside a schema that lies alone", "loose/doc.sd", "loose/doc/own.profile"],
])("a rank profile in a file of its own stands for its package, %s", async (_, schema, profile) => {
  file(schema, schemaWith("rank-profile base { function f() { expression: attribute(price) } }"));
  file(profile, "rank-profile own inherits base {\n first-phase { expression: f + g }\n}\n");
  for (const path of [profile, join(folder, profile)]) {
    const { code, err } = await sphex("check", path);
    expect(code).toBe(1);
    expect(err).toContain("feature/unknown");
    expect(err).toContain(`${path}:2:32`);
    expect(err).toContain("2 rank profiles, 1 error, 0 warnings");
  }
});
