import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { patient } from "../patience.js";
import { circlesIn } from "./circles.js";
import { unusedExports } from "./unused-exports.js";

/**
 * The order of the house, read from the texts of its files. Layers import only what lies below them, and no files each other
 * in a circle; what belongs to a machine, a clock or a library stays where it was put; files stay short. A failure lists
 * every line that breaks it.
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * From the bottom: folders and files of src. A file belongs to the longest path that it begins with. Within the wing of the
 * language the order goes on, since its parts rest on each other.
 */
const floors: readonly (readonly string[])[] = [
  ["language/source"],
  ["language/limits", "language/types", "language/scalar"],
  ["language/syntax", "language/values"],
  ["language/core", "language/prelude"],
  ["language/differentiate"],
  ["language/check"],
  ["formats", "pictures", "optimise"],
  ["backends", "models"],
  ["inspect"],
  ["program"],
  ["index.ts", "errors.ts", "models.ts"],
  ["vespa/documents"],
  ["vespa/package/syntax"],
  ["vespa/package"],
  ["vespa/text"],
  ["vespa/ranking"],
  ["vespa/judging"],
  ["vespa/learning"],
  ["vespa/rank-tests"],
  ["vespa/export"],
  ["vespa/compat"],
  ["vespa/problem.ts"],
  ["vespa.ts"],
  ["sql"],
  ["sql.ts"],
  ["service"],
  ["cli", "repl", "lsp", "web", "editors", "thread"],
];
const forPeople = floors.at(-1) ?? [];

interface File {
  /** From the root of the project, such as `src/language/types/cell.ts`. */
  readonly path: string;
  readonly text: string;
}

const filesBelow = (folder: string): File[] =>
  readdirSync(posix.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((path) => path.endsWith(".ts") && !path.includes("/node_modules/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(posix.join(root, path), "utf8") }));

const sources = filesBelow("src");
const tests = filesBelow("test");

const rooms = floors.flat().sort((a, b) => b.length - a.length);

/** The room of the house that a path of a file, or of what it imports, lies in; its own path where there is none. */
function folderOf(path: string): string {
  const inside = posix.relative("src", path).replace(/\.js$/, ".ts");
  return rooms.find((room) => inside === room || inside.startsWith(`${room}/`)) ?? inside;
}

const heightOf = (path: string): number => floors.findIndex((folders) => folders.includes(folderOf(path)));

interface Import {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

const importPattern =
  /^[^\S\n]*(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|^[^\S\n]*import\s*"([^"]+)"|\bimport\s*\(\s*"([^"]+)"/gm;

function importsOf({ path, text }: File): Import[] {
  return [...text.matchAll(importPattern)].map((found) => ({
    file: path,
    line: text.slice(0, found.index + found[0].length).split("\n").length,
    target: found[1] ?? found[2] ?? found[3] ?? "",
  }));
}

const imports = sources.flatMap(importsOf);
const isRelative = ({ target }: Import): boolean => target.startsWith(".");
/** What a relative import points at, from the root of the project. */
const targetOf = ({ file, target }: Import): string => posix.join(posix.dirname(file), target);
const place = ({ file, line, target }: Import): string => `${file}:${line} imports ${target}`;
const floorText = (path: string): string => `${folderOf(path)}, floor ${heightOf(path)}`;

test("every folder of src has a floor", () => {
  expect(sources.filter(({ path }) => heightOf(path) < 0).map(({ path }) => path)).toEqual([]);
});

test("the imports of every file were found", () => {
  const without = sources.filter(
    ({ path, text }) => /\bfrom "/.test(text) && !imports.some(({ file }) => file === path),
  );
  expect(without.map(({ path }) => path)).toEqual([]);
  expect(imports.length).toBeGreaterThan(sources.length);
});

test("imports point downwards, or into the same folder", () => {
  const upwards = imports.filter(isRelative).filter((each) => {
    const target = targetOf(each);
    return folderOf(each.file) !== folderOf(target) && heightOf(target) >= heightOf(each.file);
  });
  expect(
    upwards.map((each) => `${place(each)} (${floorText(each.file)} → ${floorText(targetOf(each))})`),
  ).toEqual([]);
});

test("no files import each other in a circle, types included", () => {
  const arrows = new Map(sources.map(({ path }) => [path, [] as string[]]));
  for (const each of imports.filter(isRelative))
    arrows.get(each.file)?.push(targetOf(each).replace(/\.js$/, ".ts"));
  expect(circlesIn(arrows)).toEqual([]);
});

/** Folders that still import each other: a plan is described beside what makes it. */
const entangled = ["src/backends/engine: ir, passes, plan"];

test("folders beside each other import in one direction", () => {
  const parents = new Set(sources.map(({ path }) => posix.dirname(posix.dirname(path))));
  const circles = [...parents].flatMap((parent) => {
    const arrows = new Map<string, string[]>();
    for (const each of imports.filter(isRelative)) {
      const [from, to] = [each.file, targetOf(each)].map((path) => posix.relative(parent, path).split("/"));
      const [folder = "", ...inFolder] = from ?? [];
      const [other = "", ...inOther] = to ?? [];
      if (folder === ".." || other === ".." || inFolder.length === 0 || inOther.length === 0) continue;
      arrows.set(folder, [...(arrows.get(folder) ?? []), ...(folder === other ? [] : [other])]);
    }
    return circlesIn(arrows).map((names) => `${parent}: ${names.join(", ")}`);
  });
  expect(circles).toEqual(entangled);
});

test("a circle is found whatever else leads to it and away from it", () => {
  const arrows = {
    a: ["b"],
    b: ["c", "e"],
    c: ["b", "d"],
    d: ["b"],
    e: ["f"],
    f: ["e"],
    g: ["a", "g"],
    h: [],
  };
  expect(circlesIn(new Map(Object.entries(arrows)))).toEqual([
    ["b", "c", "d"],
    ["e", "f"],
  ]);
});

/** What everybody may import: the entries of the package, and what the page needs before it loads any of them. */
const entries = [
  "src/index.js",
  "src/vespa.js",
  "src/sql.js",
  "src/models.js",
  "src/vespa/compat/compat.js",
  "src/service/service.js",
  "src/language/source/thrown.js",
  "src/language/source/columns.js",
  "src/language/check/dialect.js",
];

test("programs for people use what everybody may use: the entries", () => {
  const deeper = imports.filter(isRelative).filter((each) => {
    const target = targetOf(each);
    const isProgram = forPeople.includes(folderOf(each.file));
    return isProgram && folderOf(target) !== folderOf(each.file) && !entries.includes(target);
  });
  expect(deeper.map(place)).toEqual([]);
});

/** What is imported from outside: the public names, and the element that other pages embed. */
const published = [
  ...["index", "vespa", "sql", "models", "errors"].map((name) => `src/${name}.ts`),
  "src/web/embed/playground-element.ts",
];

test("what a file exports is used by another", patient, () => {
  const users = [...sources, ...tests, ...filesBelow("bin").filter(({ path }) => !path.endsWith(".d.ts"))];
  const files = sources.filter(({ path }) => !published.includes(path));
  expect(unusedExports(files, users)).toEqual([]);
});

test("an export that nothing uses is found, and a type that stands in a used one is not", () => {
  const files = [
    { path: "src/a.ts", text: `export const one = 1, [two] = [one]; const three = 3; export { three };` },
    {
      path: "src/b.ts",
      text: `export interface Four {} export type Five = 5; export function six(): Four {}`,
    },
    {
      path: "src/c.ts",
      text: `import { two as one } from "./a.js"; import { six } from "./b.js"; six(one);`,
    },
  ];
  expect(unusedExports(files, files)).toEqual(["src/a.ts: one", "src/a.ts: three", "src/b.ts: Five"]);
});

test("nothing below the programs for people imports from Node", () => {
  const fromNode = imports.filter(
    ({ file, target }) => !forPeople.includes(folderOf(file)) && target.startsWith("node:"),
  );
  expect(fromNode.map(place)).toEqual([]);
});

/** Globals that a machine, a clock or a page gives; esbuild finds where they are meant, and not just spelt. */
const givenByHosts = ["process", "Date", "performance", "Math.random", "document", "window", "crypto"];

test("nothing below the programs for people uses a clock, chance, the process or the page", patient, () => {
  const define = Object.fromEntries(givenByHosts.map((name, at) => [name, `fromTheHost${at}`]));
  const uses = sources
    .filter(({ path }) => !forPeople.includes(folderOf(path)))
    .flatMap(({ path, text }) => {
      const { code } = transformSync(text, { loader: "ts", define });
      return givenByHosts
        .filter((_, at) => code.includes(`fromTheHost${at}`))
        .map((name) => `${path}:${lineWith(text, name)} uses ${name}`);
    });
  expect(uses).toEqual([]);
});

/** The first line outside comments that has a word. */
function lineWith(text: string, word: string): number {
  return 1 + text.split("\n").findIndex((line) => !/^\s*(?:\*|\/[/*])/.test(line) && line.includes(word));
}

const parsers = {
  "language/syntax": [
    ...["tokens", "grammar", "parse", "reader", "expressions", "literals", "decision", "prepared-parser"],
    ...["mistakes/expectations", "statements", "brackets", "folding", "mistakes/syntax-problem"],
  ],
  "vespa/package/syntax": [
    ...["tokens", "braces", "grammar", "text-rules", "reader", "parse", "expectations"],
  ],
};
const readers = Object.entries(parsers).flatMap(([folder, names]) =>
  names.map((name) => `src/${folder}/${name}.ts`),
);

// biome-ignore format: a table
test.each([
  { library: "chevrotain", users: readers,      says: "the readers of texts" },
  { library: "commander",  users: sources.map(({ path }) => path).filter((path) => folderOf(path) === "cli"), says: "the command" },
  { library: "yaml",       users: ["src/formats/yaml/read.ts"],                      says: "the reader of YAML" },
  { library: "@bufbuild/protobuf", users: ["src/models/onnx/file/protobuf.ts", "src/sql/drivers/spark-messages.ts"], says: "the readers of messages" },
  { library: "@duckdb/node-api", users: ["src/sql/drivers/duckdb.ts", "src/sql/drivers/duckdb-columns.ts"], says: "the driver of DuckDB" },
  { library: "pg", users: ["src/sql/drivers/postgresql.ts"],                          says: "the driver of PostgreSQL" },
  { library: "hyparquet",  users: ["src/formats/parquet/library.ts"],                  says: "the reader of Parquet" },
  { library: "fzstd",      users: ["src/formats/parquet/library.ts"],                  says: "the reader of Parquet" },
  { library: "lz-string",  users: ["src/vespa/compat/link.ts"],                        says: "the writer and reader of links" },
])("only $says knows $library", ({ library, users }) => {
  const isLibrary = ({ target }: Import) => target === library || target.startsWith(`${library}/`) || target.startsWith(`@${library}/`);
  expect(imports.filter((each) => isLibrary(each) && !users.includes(each.file)).map(place)).toEqual([]);
});

const lengthOf = ({ text }: File): number => text.trimEnd().split("\n").length;

test("no file of src or test is longer than 400 lines", () => {
  const long = [...sources, ...tests].filter((file) => lengthOf(file) > 400);
  expect(long.map((file) => `${file.path} has ${lengthOf(file)} lines`)).toEqual([]);
  const lengths = sources.map(lengthOf).sort((a, b) => a - b);
  console.info(`median length of the ${lengths.length} files of src: ${lengths[lengths.length >> 1]} lines`);
});

test("a type name means one thing in a wing", () => {
  const files = new Map<string, string[]>();
  for (const { path, text } of sources) {
    const [wing = ""] = posix.relative("src", path).split("/");
    for (const [, name = ""] of text.matchAll(
      /^(?:export )?(?:abstract )?(?:interface|type|class) ([A-Z]\w*)/gm,
    )) {
      const key = `${name} of ${wing}`;
      files.set(key, [...(files.get(key) ?? []), path]);
    }
  }
  const ambiguous = [...files].filter(([, paths]) => paths.length > 1);
  expect(ambiguous.map(([name, paths]) => `${name}: ${paths.join(", ")}`)).toEqual([]);
});

/** `any` where a type stands; a variable may be called so. */
const anyType = /(?::|\bas\b|<|[|&]\s|,(?=[^()]*>))\s*any(?=\s*(?:[,;)\]{}>|&=]|\[\]|$))/;

test("no type is any", () => {
  const found = [...sources, ...tests].flatMap(({ path, text }) => {
    const lines = withoutTexts(text).split("\n");
    return lines.flatMap((line, at) => (anyType.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : []));
  });
  expect(found).toEqual([]);
  expect(
    [
      "let a: any;",
      "b as any",
      "c: any[]",
      "Map<string, any>",
      "Set<any>",
      "(d: any) =>",
      "get e(): any {",
    ].every((line) => anyType.test(line)),
  ).toBe(true);
});

/** A file without what its comments and quoted texts say, line by line. */
function withoutTexts(text: string): string {
  const blank = (found: string): string => found.replace(/[^\n]/g, " ");
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/gm, blank);
}

test("every folder of src says in a README what it holds", () => {
  const folders = [...new Set(sources.map(({ path }) => posix.dirname(path)))];
  expect(folders.filter((folder) => !existsSync(posix.join(root, folder, "README.md")))).toEqual([]);
});

test("every file of src stands in the README of its folder", () => {
  const absent = sources.flatMap(({ path }) => {
    const readme = readFileSync(posix.join(root, posix.dirname(path), "README.md"), "utf8");
    const names: readonly string[] = readme.match(/[\w-]+\.ts\b/g) ?? [];
    return names.includes(posix.basename(path)) ? [] : [path];
  });
  expect(absent).toEqual([]);
});

/** A default for an element, `list[at] ?? 0` or `list[at]?.size ?? 0`: an index that is out of step would go on as a number. */
const defaultOfElement = /\](?:\?\.\w+)? \?\? -?\d/;

test("no backend hides an index that is out of step behind a number", () => {
  const backends = sources.filter(({ path }) => path.startsWith("src/backends/"));
  const hidden = backends.flatMap(({ path, text }) =>
    withoutTexts(text)
      .split("\n")
      .flatMap((line, at) => (defaultOfElement.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  expect(hidden).toEqual([]);
  expect(
    ["list[at] ?? 0", "axes[0]?.size ?? 1", "(rows[a[b]] ?? -1)"].every((each) =>
      defaultOfElement.test(each),
    ),
  ).toBe(true);
});
