import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** The packages of others: their licences, that they are those which were looked at, and the notices that ship with ours. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface Manifest extends LockedPackage {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(read("package.json"));
const lock: { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, LockedPackage>> } =
  JSON.parse(read("package-lock.json"));
const { "": own, ...others } = lock.packages;
/** All but the package itself, which its tests use by its name. */
const packages = Object.entries(others).filter(([, { link }]) => link !== true);
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, "");

/** What our sources import and our bundles have; with the packages that these need. */
const imported = [
  "@bufbuild/protobuf",
  "@codemirror/autocomplete",
  "@codemirror/commands",
  "@codemirror/language",
  "@codemirror/lint",
  "@codemirror/search",
  "@codemirror/state",
  "@codemirror/view",
  "@huggingface/tokenizers",
  "chevrotain",
  "commander",
  "dompurify",
  "fastest-levenshtein",
  "fflate",
  "fzstd",
  "hyparquet",
  "lit-html",
  "lz-string",
  "marked",
  "vscode-jsonrpc",
  "vscode-languageserver",
  "vscode-languageserver-textdocument",
];
/** What these need and of which nothing is in a bundle: types, and parsers that no editor here uses. */
const unused = ["@chevrotain/types", "@codemirror/streamparser", "@lezer/lr", "@types/trusted-types"];
/** What is nested is another version, of a tool. */
const isOuter = (path: string): boolean => path === `node_modules/${nameOf(path)}`;
const bundled = packages.filter(
  ([path]) => isOuter(path) && isNeeded(nameOf(path)) && !unused.includes(nameOf(path)),
);
/** What ships: in bundles, or as a dependency. */
const runtime = packages.filter((each) => each[1].dev !== true || bundled.includes(each));

function isNeeded(name: string): boolean {
  if (imported.includes(name)) return true;
  return packages.some(([path, { dependencies = {} }]) => {
    return isOuter(path) && Object.hasOwn(dependencies, name) && isNeeded(nameOf(path));
  });
}

/** What may be in what we ship, and, beyond it, what may be used to build and to test it. */
const allowed = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "(Apache-2.0 AND BSD-3-Clause)",
  "(MPL-2.0 OR Apache-2.0)",
];
const allowedTools = [...allowed, "MPL-2.0", "MIT OR Apache-2.0", "BlueOak-1.0.0"];

describe("licences", () => {
  const without = (list: readonly string[], among: typeof packages): string[] =>
    among.flatMap(([path, { license = "none" }]) =>
      list.includes(license) ? [] : [`${nameOf(path)}: ${license}`],
    );

  test("of what we ship are on the list, and so are those of tools", () => {
    expect(without(allowed, runtime)).toEqual([]);
    expect(without(allowedTools, packages)).toEqual([]);
    expect(runtime.length).toBeGreaterThan(5);
  });

  test("are those that the packages have", () => {
    const other = packages.filter(([path, { license }]) => {
      if (!existsSync(join(root, path, "package.json"))) return false; // of another system
      const found: LockedPackage = JSON.parse(read(`${path}/package.json`));
      return found.license !== license;
    });
    expect(other.map(([path]) => path)).toEqual([]);
  });
});

const registry = "https://registry.npmjs.org/";

describe("the lock file", () => {
  test("is that of package.json", () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(own?.dependencies).toEqual(manifest.dependencies);
    expect(own?.devDependencies).toEqual(manifest.devDependencies);
  });

  test("has a checksum of each package, and none that is not of the registry", () => {
    const bad = packages.filter(
      ([, { integrity = "", resolved = registry }]) =>
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) || !resolved.startsWith(registry),
    );
    expect(bad.map(([path]) => path)).toEqual([]);
  });

  test("has the versions that are installed", () => {
    const others = packages.flatMap(([path, { version, optional }]) => {
      const file = join(root, path, "package.json");
      if (!existsSync(file)) return optional === true ? [] : [`${path} is missing`];
      const found: LockedPackage = JSON.parse(readFileSync(file, "utf8"));
      return found.version === version ? [] : [`${path} is ${found.version}, not ${version}`];
    });
    expect(others).toEqual([]);
  });
});

test("nothing is run where the package is installed", () => {
  expect(
    runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path),
  ).toEqual([]);
  const scripts = Object.keys(manifest.scripts ?? {});
  expect(scripts.filter((name) => /^(?:pre|post)?install$|^(?:pre|post)prepare$/.test(name))).toEqual([]);
});

describe("the notices", () => {
  const notices = read("dist/THIRD-PARTY-NOTICES.txt");

  test("are needed, for what is bundled is no dependency", () => {
    const dependencies = Object.keys(manifest.dependencies ?? {});
    expect(dependencies.filter((name) => bundled.some(([path]) => nameOf(path) === name))).toEqual([]);
    expect(dependencies).toEqual(["yaml"]);
  });

  test("name each package that is bundled, with its version and its licence", () => {
    for (const [path, { version, license }] of bundled)
      expect(notices, path).toContain(`${nameOf(path)} ${version} (${license})\n`);
    const titles = notices.match(/^\S+ \d+\.\d+\.\d+\S* \(.+\)$/gm) ?? [];
    expect(titles.length).toBe(bundled.length);
  });

  test("have the texts of the licences whole", () => {
    for (const [path] of bundled) {
      const file = readdirSync(join(root, path)).find((name) => /^licen[cs]e/i.test(name));
      const elsewhere = `bin/licences/${nameOf(path).replace("/", "-")}.txt`;
      const text = read(file === undefined ? elsewhere : `${path}/${file}`);
      expect(notices.includes(text.trim()), path).toBe(true);
    }
  });

  test("are among the files that ship", () => {
    const files: readonly string[] = JSON.parse(read("package.json")).files;
    expect(files).toContain("dist");
    expect(files.filter((each) => each.startsWith("!")).some((each) => each.includes("NOTICES"))).toBe(false);
  });
});

test("peers are optional, and one all of whose versions are prereleases has no range: none but * would have them", () => {
  const { peerDependencies = {}, peerDependenciesMeta = {}, devDependencies = {} } = manifest;
  const names = Object.keys(peerDependencies);
  expect(names.filter((name) => peerDependenciesMeta[name]?.optional !== true)).toEqual([]);
  const isPrerelease = (name: string): boolean => devDependencies[name]?.includes("-") === true;
  expect(names.filter(isPrerelease).map((name) => [name, peerDependencies[name]])).toEqual([
    ["@duckdb/node-api", "*"],
  ]);
});
