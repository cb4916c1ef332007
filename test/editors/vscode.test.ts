import { existsSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";

/** The extension of VS Code is one script that needs nothing but VS Code, so that `vsce package` packs it without a network. */

const folder = join(process.cwd(), "src", "editors", "vscode");
const manifest: {
  readonly main: string;
  readonly dependencies?: unknown;
  readonly contributes: {
    readonly languages: readonly { readonly configuration: string }[];
    readonly grammars: readonly { readonly path: string }[];
  };
} = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
const commands: Readonly<Record<string, string>> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

/** Something of VS Code: whatever is asked of it is there, and does nothing. Settings have their defaults, and lists are empty. */
function anything(name: string): unknown {
  return new Proxy(function nothing() {}, {
    get: (target, key) => {
      if (key === "then") return undefined;
      if (key === "prototype") return target.prototype;
      if (key === "version") return "1.95.0";
      if (key === "EventEmitter") return Emitter;
      if (key === Symbol.toPrimitive) return () => 1;
      const isList = /^(?:textDocuments|notebookDocuments|visibleTextEditors|all)$/.test(String(key));
      return isList ? [] : anything(String(key));
    },
    apply: (_, __, [, fallback]) => (name === "get" ? fallback : anything(name)),
    construct: (_, __, made) => Reflect.construct(Object, [], made),
  });
}

class Emitter {
  readonly event = () => ({ dispose: () => undefined });
  fire(): void {}
  dispose(): void {}
}

test("the script has the client of the protocol in it, and starts the server", async () => {
  const outfile = join(temporaryFolder(), "extension.cjs");
  const { metafile } = await build({
    ...{ entryPoints: [join(folder, "extension.cjs")], outfile, bundle: true, metafile: true },
    ...{ format: "cjs", platform: "node", target: "node20", external: ["vscode"], logLevel: "warning" },
  });
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(new Set(outside.filter((path) => !isBuiltin(path)))).toEqual(new Set(["vscode"]));

  const started: unknown[] = [];
  const own = createRequire(outfile);
  const spawn = (command: string, parameters: readonly string[]): never => {
    started.push([command, ...parameters]);
    throw new Error("nothing is started in a test");
  };
  const load = (id: string): unknown => {
    if (id === "vscode") return anything("vscode");
    return id === "child_process" ? { ...own(id), spawn } : own(id);
  };
  const exported: { activate?: (context: object) => Promise<void> } = {};
  const script = new Script(`(function (exports, require, module) {${readFileSync(outfile, "utf8")}\n})`);
  script.runInThisContext()(exported, load, { exports: exported });
  await exported.activate?.({ subscriptions: [] });
  expect(started).toEqual([["sphex", "lsp", "--stdio"]]);
});

test("the manifest asks for no package, and names files that the build puts beside it", () => {
  expect(manifest.dependencies).toBe(undefined);
  const { languages, grammars } = manifest.contributes;
  const named = [...languages.map(({ configuration }) => configuration), ...grammars.map(({ path }) => path)];
  const copied = commands["build:vscode"]?.match(/[\w./-]+/g)?.filter((path) => existsSync(path)) ?? [];
  expect(copied.map((each) => each.replace(/^.*\//, "./"))).toEqual(expect.arrayContaining(named));
  expect(manifest.main).toBe("./extension.cjs");
});
