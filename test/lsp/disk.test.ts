import { expect, test } from "vitest";
import type { HostPackage } from "../../src/lsp/host.js";
import { Editor, profile, profileUri, schema, schemaUri } from "./editor-client.js";

/** Files of a package that are not open in the editor, and change on the disk. */
function packageOnDisk(files: Map<string, string>): HostPackage {
  return {
    options: { root: "/nowhere/app/" },
    files: {
      list: (folder) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`)),
      read: (path) => files.get(path) ?? "",
    },
  };
}

/** An editor with the profile open, and the schema on the disk alone. */
async function opened(capabilities = {}) {
  const files = new Map([
    ["schemas/doc.sd", schema],
    ["schemas/doc/best.profile", profile],
  ]);
  const editor = new Editor(packageOnDisk(files));
  await editor.start(capabilities);
  const told = editor.problems();
  await editor.open(profile, profileUri);
  await told;
  return { editor, files };
}

test("a rename edits a file that is not open as it is on the disk now", async () => {
  const { editor, files } = await opened();
  files.set("schemas/doc.sd", `# A remark\n${schema}`);
  const position = { line: 1, character: 30 };
  const { changes } = await editor.ask<{ readonly changes: Readonly<Record<string, unknown>> }>(
    "rename",
    { position, newName: "near" },
    profileUri,
  );
  // The function stands in the ninth line, which was the eighth.
  expect(changes[schemaUri]).toEqual([
    { newText: "near", range: { start: { line: 8, character: 13 }, end: { line: 8, character: 23 } } },
  ]);
  await editor.end();
});

test("what a change on the disk brings about is told, to an editor that says when there is one", async () => {
  const { editor, files } = await opened({
    workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
  });
  await expect.poll(() => editor.registered).toEqual(["workspace/didChangeWatchedFiles"]);
  files.set("schemas/doc.sd", schema.replace("similarity()", "simlarity()"));
  const told = editor.problems();
  await editor.changedOnDisk(schemaUri);
  const { uri, diagnostics } = await told;
  expect(uri).toBe(profileUri);
  // Of similarity and simlarity now the first one is unknown.
  expect(diagnostics.map(({ range }) => range)).toEqual([
    { start: { line: 1, character: 28 }, end: { line: 1, character: 38 } },
  ]);
  await editor.end();
});
