import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { seenFrom, type Topic, topics } from "./problems.js";

/**
 * Each message has a cause, and each cause has its message: what brings them about is in `problems/`, a file for each
 * table of messages. `grammar/PROBLEMS.md` is made of both: `npm run problems` writes it anew.
 */
const all = await topics();

test("every table of messages was found, and says what it is about", () => {
  expect(all.length).toBeGreaterThan(10);
  for (const { name, about, table } of all) {
    expect(about, name).toMatch(/^What can be /);
    expect(Object.keys(table), name).not.toEqual([]);
  }
});

test("every code has a cause: in problems/ beside this test, under the name of its folder", () => {
  const without = all.flatMap(({ name, table, causes }) => {
    const caused = new Set(causes.map(({ code }) => code));
    return Object.keys(table).flatMap((code) =>
      caused.has(code) ? [] : [`${code} is not in test/problems/${name}.md`],
    );
  });
  expect(without).toEqual([]);
});

test("every cause is that of a code of its file, once, and every file is that of a table", () => {
  for (const { name, table, causes } of all) {
    const caused = causes.map(({ code }) => code);
    expect(
      caused.filter((code) => !Object.hasOwn(table, code)),
      name,
    ).toEqual([]);
    expect(new Set(caused).size, name).toBe(caused.length);
  }
  const files = readdirSync(new URL("./", import.meta.url), { recursive: true, encoding: "utf8" });
  const names = files.flatMap((file) => /^(.*)\.md$/.exec(file.replaceAll("\\", "/"))?.[1] ?? []);
  expect(names.sort()).toEqual(all.map(({ name }) => name));
});

test.each(all.flatMap(({ causes }) => causes))("$code", async (cause) => {
  const { codes } = await seenFrom(cause);
  expect(codes).toEqual([cause.code]);
});

test("the catalogue in grammar/PROBLEMS.md shows each with its cause", async () => {
  await expect(await catalogue()).toMatchFileSnapshot("../../grammar/PROBLEMS.md");
});

async function catalogue(): Promise<string> {
  const sections: string[] = [];
  for (const topic of all) sections.push(await section(topic));
  return [introduction, ...sections].join("\n");
}

async function section({ name, about, table, causes }: Topic): Promise<string> {
  const lines = [`## ${name}`, "", about, ""];
  for (const [code, { severity }] of Object.entries(table)) {
    const cause = causes.find((each) => each.code === code);
    if (cause === undefined) continue;
    const { text } = await seenFrom(cause);
    const files = cause.files.flatMap((file) => [`The file \`${file.name}\`:`, "", ...fenced("", file.text)]);
    lines.push(`### ${code}`, "", severities[severity], "", ...files);
    lines.push(...fenced(cause.language.replace(" vespa", ""), cause.text), ...fenced("text", text));
  }
  return lines.join("\n");
}

const fenced = (language: string, text: string): string[] => [`\`\`\`${language}`, text, "```", ""];

const severities = {
  error: "An error.",
  warning: "A warning.",
  portability: "A warning, and an error in dialect vespa.",
  hint: "A hint, which `sphex check` shows as a note.",
} as const;

const introduction = `# Problems

Every message of Sphex by its code, each with a program, a call of the library or a command that brings it about, and as a
screen of 80 columns shows it, under the part of the library that reports it. This page is generated: \`npm run problems\`
writes it anew, from the messages and from the causes in \`test/problems\`.
`;
