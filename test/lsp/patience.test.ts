import { expect, test } from "vitest";
import type { HostPackage } from "../../src/lsp/host.js";
import { models } from "../../src/models.js";
import { PackageAnalysis } from "../../src/service/service.js";
import { type Diagnostics, Editor } from "./editor-client.js";

/** What an editor waits for: no rank profile is checked for an answer about another. A profile that is checked asks for its model. */

const profiles = Array.from({ length: 20 }, (_, at) => at);
const text = `schema doc {
  document doc {
    field year type int { indexing: attribute }
  }
  rank-profile first {
    function recent() { expression: max(attribute(year), 2000) }
    first-phase { expression: recent }
  }
${profiles
  .map(
    (at) => `  rank-profile p${at} inherits first {
    onnx-model net { file: models/${at}.onnx }
    first-phase { expression: recent + onnx(net) }
  }
`,
  )
  .join("")}}
`;
const uri = "file:///nowhere/app/schemas/doc.sd";
const path = "schemas/doc.sd";

/** The package, and what its models are read by: a model that cannot be read, after something is done. */
function packageRead(read: (file: string) => void): HostPackage {
  return {
    files: {
      list: (folder) => (folder === "schemas" ? [path] : []),
      read: (file) => {
        if (file !== path) throw new Error("there is no such file");
        return text;
      },
      readBytes: () => Uint8Array.of(0),
    },
    options: {
      root: "/nowhere/app/",
      models: (model) => {
        read(model.name);
        return models(model);
      },
    },
  };
}

test("an answer in one rank profile checks no other", () => {
  const read: string[] = [];
  const { files, options } = packageRead((file) => read.push(file));
  const analysis = new PackageAnalysis(files, options);
  const [defined, used] = [text.indexOf("recent()"), text.indexOf("recent }")];
  const name = `${options.root}${path}`;
  expect(analysis.hover(name, used)?.code).toBe("recent(): tensor()");
  expect(analysis.types(name, 0, used)).toEqual([{ offset: defined + "recent".length, text: ": tensor()" }]);
  expect(analysis.definition(name, used)?.start).toBe(defined);
  expect(analysis.nameAt(name, defined)?.uses).toHaveLength(1 + profiles.length);
  expect(analysis.names(name, used).functions).toEqual(["recent"]);
  expect(analysis.signature(name, text.indexOf("2000"))?.parameters).toHaveLength(3);
  expect(analysis.colours({ name, text }).length).toBeGreaterThan(100);
  expect(read).toEqual([]);
  analysis.hover(name, text.indexOf("net) }"));
  expect(read).toEqual(["/nowhere/app/models/0.onnx"]);
});

const inFirst = { position: { line: 6, character: 34 } };

test("what is asked while a package is checked is answered between its rank profiles", async () => {
  const read: string[] = [];
  let readWhenAnswered: number | undefined;
  const editor = new Editor(
    packageRead((file) => {
      read.push(file);
      if (read.length > 1) return;
      void editor.ask("hover", inFirst, uri).then(() => {
        readWhenAnswered = read.length;
      });
    }),
  );
  await editor.start();
  const told: Promise<Diagnostics> = editor.problems();
  await editor.open(text, uri);
  expect((await told).diagnostics.length).toBeGreaterThanOrEqual(profiles.length);
  expect(read).toHaveLength(profiles.length);
  expect(readWhenAnswered).toBeGreaterThan(0);
  expect(readWhenAnswered).toBeLessThan(profiles.length);
  await editor.end();
});

test("of a package that has changed only the files are read again whose texts are other ones", () => {
  const schema = (name: string, expression: string): string => `schema ${name} {
  document ${name} {}
  rank-profile p {
    function f() { expression: ${expression} }
    first-phase { expression: f + }
  }
}
`;
  const files = { "schemas/a.sd": schema("a", "1"), "schemas/b.sd": schema("b", "1") };
  const look = (texts: Readonly<Record<string, string>>, earlier?: PackageAnalysis) => {
    const listed = Object.keys(texts);
    const list = (folder: string): readonly string[] => (folder === "schemas" ? listed : []);
    const analysis = new PackageAnalysis({ list, read: (path) => texts[path] ?? "" }, {}, earlier);
    const { problems } = analysis;
    const told = problems.map(({ code, span }) => `${code} ${span.source.name} ${span.start}`);
    return { analysis, told, sources: problems.map(({ span }) => span.source) };
  };
  const first = look(files);
  const changed = { ...files, "schemas/b.sd": schema("b", "1 + 1") };
  const after = look(changed, first.analysis);
  expect(after.sources).toHaveLength(2);
  expect(after.sources[0]).toBe(first.sources[0]);
  expect(after.sources[1]).not.toBe(first.sources[1]);
  expect(after.told).toEqual(look(changed).told);
});
