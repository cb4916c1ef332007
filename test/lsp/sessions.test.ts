import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { Editor } from "./sessions/editor.js";
import { replayed } from "./sessions/recording.js";

/** What an editor sends to `sphex lsp --stdio` and is answered, feature by feature: npm run editor-sessions writes the answers. */

const folder = new URL("sessions/", import.meta.url);
const recordings = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");

test.each(recordings)("%s", async (name) => {
  const place = temporaryFolder();
  const editor = new Editor(place);
  const recording = readFileSync(new URL(name, folder), "utf8");
  if (!recording.includes("\ninitialize:")) {
    await editor.ask(
      "initialize",
      { processId: null, rootUri: pathToFileURL(place).href, capabilities: {} },
      false,
    );
    await editor.notify("initialized", {});
  }
  const found = await replayed(editor, recording, place);
  if (editor.isConnected) {
    expect(editor.logged()).toEqual([]);
    await editor.ask("shutdown", {}, false);
    expect(await editor.exit()).toBe(0);
  }
  await expect(found).toMatchFileSnapshot(`sessions/${name}`);
});
