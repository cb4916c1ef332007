import { scriptOptions } from "../options.js";
import { accompany } from "./companion.js";
import { loadPackages } from "./contenders.js";
import { grow } from "./growth.js";
import { runBench } from "./run.js";
import { growTexts } from "./texts.js";

/** Times every workload through the public library, against the peers that are there. README.md says how to read it. */

const { values: settings } = scriptOptions({
  options: {
    only: { type: "string", default: "" },
    peers: { type: "boolean", default: false },
    wide: { type: "boolean", default: false },
    json: { type: "string" },
    markdown: { type: "boolean", default: false },
    rounds: { type: "string", default: "10" },
    milliseconds: { type: "string", default: "25" },
    backend: { type: "string", default: "engine" },
    against: { type: "string" },
    ways: { type: "boolean", default: false },
    // What the processes that the bench starts are told.
    "growth-of": { type: "string" },
    "texts-of": { type: "string" },
    companion: { type: "boolean", default: false },
  },
});

const { "growth-of": growing, "texts-of": texts } = settings;
if (settings.companion) accompany(await loadPackages());
else if (growing !== undefined) process.exit(await grow(growing));
else process.exit(texts === undefined ? await runBench(settings) : await growTexts(texts));
