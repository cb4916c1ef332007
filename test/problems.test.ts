import { expect, test } from "vitest";
import { messages, severityOf } from "../src/language/source/messages.js";
import { seenFrom, type Topic, topics } from "./problems.js";

/**
 * Each message has a cause, and each cause has its message: what brings them about is in `problems/`, a file for each
 * file of messages. `grammar/PROBLEMS.md` is made of both: `npm run problems` writes it anew.
 */
const all = await topics();

test("every code of the folder is in the table of messages", () => {
  expect(all.flatMap(({ codes }) => codes).sort()).toEqual(Object.keys(messages).sort());
});

test("every code has a cause: in problems/ beside this test, under the name of its file of messages", () => {
  const without = all.flatMap(({ name, codes, causes }) => {
    const caused = new Set(causes.map(({ code }) => code));
    return codes.flatMap((code) => (caused.has(code) ? [] : [`${code} is not in test/problems/${name}.md`]));
  });
  expect(without).toEqual([]);
});

test("every cause is that of a code of its file, once", () => {
  for (const { name, codes, causes } of all) {
    const caused = causes.map(({ code }) => code);
    expect(
      caused.filter((code) => !codes.includes(code)),
      name,
    ).toEqual([]);
    expect(new Set(caused).size, name).toBe(caused.length);
  }
});

test.each(all.flatMap(({ causes }) => causes))("$code", async (cause) => {
  const { codes } = await seenFrom(cause);
  expect(codes).toEqual([cause.code]);
});

test("the catalogue in grammar/PROBLEMS.md shows each with its cause", async () => {
  await expect(await catalogue()).toMatchFileSnapshot("../grammar/PROBLEMS.md");
});

async function catalogue(): Promise<string> {
  const sections: string[] = [];
  for (const topic of all) sections.push(await section(topic));
  return [introduction, ...sections].join("\n");
}

async function section({ name, about, codes, causes }: Topic): Promise<string> {
  const lines = [`## ${name}`, "", about, ""];
  for (const code of codes) {
    const cause = causes.find((each) => each.code === code);
    if (cause === undefined) continue;
    const { text } = await seenFrom(cause);
    const files = cause.files.flatMap((file) => [`The file \`${file.name}\`:`, "", ...fenced("", file.text)]);
    const kind = severityOf(code as keyof typeof messages); // one of the codes of the table
    lines.push(`### ${code}`, "", says[kind], "", ...files);
    lines.push(...fenced(cause.language.replace(" vespa", ""), cause.text), ...fenced("text", text));
  }
  return lines.join("\n");
}

const fenced = (language: string, text: string): string[] => [`\`\`\`${language}`, text, "```", ""];

const says = {
  error: "An error.",
  warning: "A warning.",
  portability: "A warning, and an error in dialect vespa.",
} as const;

const introduction = `# Problems

Every message of Sphex by its code, each with a program, a call of the library or a command that brings it about, and as a
screen of 80 columns shows it. This page is generated: \`npm run problems\` writes it anew, from the messages and from
the causes in \`test/problems\`.
`;
