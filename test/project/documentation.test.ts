import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { patient } from "../patience.js";
import { type PublicItem, publicItems } from "./documentation/items.js";

/** What the package exports has a comment, and names no type that a program of an embedder could not name. */
const items = publicItems(fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, ""));

/** The entries that are documented in part so far: what they lack may become less. */
const lacking: Readonly<Record<string, { readonly comments: number; readonly types: number }>> = {
  "src/index.ts": { comments: 0, types: 7 },
  "src/errors.ts": { comments: 0, types: 0 },
  "src/models.ts": { comments: 0, types: 0 },
  "src/sql.ts": { comments: 0, types: 4 },
  "src/vespa.ts": { comments: 0, types: 32 },
};

/** Of the contract between the library and a backend, of trees, and of the union of all problems, whose parts are many. */
const internal = new Set([
  "Backend",
  "CoreProgram",
  "PlannedValue",
  "parseProgram",
  "Problem",
  "InputsOf",
  "OperationName",
]);

const named = (all: readonly PublicItem[]): readonly string[] => all.map(({ name }) => name);

test("the entries have items of all kinds", patient, () => {
  const kinds = new Set(items.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(["class", "function", "interface", "type", "value"]);
  const tensor = items.find(({ name }) => name === "Tensor");
  expect(tensor?.documentation).toContain("Immutable");
  expect(tensor?.declaration).toContain("asNumber(): number");
  expect(tensor?.declaration).not.toContain("cachedLabels");
  expect(tensor?.declaration).not.toContain("ofStorage");
});

test.each(Object.entries(lacking))("%s: items have a comment", (entry, { comments }) => {
  const bare = items.filter((each) => each.entry === entry && each.documentation === undefined);
  expect(bare.length, named(bare).join(", ")).toBeLessThanOrEqual(comments);
});

test.each(Object.entries(lacking))("%s: items name types that are exported", (entry, { types }) => {
  const hidden = items.filter((each) => each.entry === entry && each.unexported.length > 0);
  expect(hidden.length, named(hidden).join(", ")).toBeLessThanOrEqual(types);
  if (entry === "src/index.ts") expect(named(hidden).filter((name) => !internal.has(name))).toEqual([]);
});
