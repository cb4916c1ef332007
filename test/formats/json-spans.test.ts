import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../src/formats/json/json.js";
import { parseJson } from "../../src/formats/json/parse.js";
import { readTypedValue } from "../../src/formats/json/typed-value.js";
import type { JsonValue } from "../../src/formats/json/value.js";
import type { Problem } from "../../src/language/source/problem.js";
import type { Source } from "../../src/language/source/span.js";
import { parseType } from "../../src/program/options.js";
import { readSetup } from "../../src/vespa/compat/playground.js";
import { readFeed } from "../../src/vespa/documents/feed.js";
import { readQuery } from "../../src/vespa/documents/query.js";
import { readResponse } from "../../src/vespa/documents/response.js";
import { captureText } from "../../src/vespa/rank-tests/capture.js";
import { problemOfFile, readRankTests } from "../../src/vespa/rank-tests/read.js";
import { featureSetting, readFeatures } from "../../src/vespa/ranking/features/injected-features.js";
import { readFeature, typeInValue } from "../../src/vespa/ranking/features/read-feature.js";
import { holds } from "../chance.js";
import { accidents, noise } from "../language/accidents.js";
import { expectPlaced, outcome } from "../outcome.js";
import * as documents from "./json-documents.js";

/**
 * No document is too bad: whatever chance makes of one is read or refused, with problems that lie in it and end behind
 * their start; nothing else is ever thrown, and nothing takes long.
 */

const types = [...new Set(documents.tensors.map(([type]) => type))].map((type) => parseType(type));

/** Reads a value as somebody does who knows its type, or does not. */
const readValue = (value: JsonValue): readonly Problem[] =>
  [...types, undefined].flatMap((type) => {
    const read = readTypedValue(value, type, { empty: 0, cells: 1000 });
    expect(read.tree === undefined).toBe(read.problems.length > 0);
    typeInValue(value);
    return [...read.problems, ...(outcome(() => readFeature("query(q)", value, type)).problems ?? [])];
  });

const readValues = (...all: (ReadonlyMap<string, JsonValue> | undefined)[]): Problem[] =>
  all.flatMap((each) => [...(each?.values() ?? [])]).flatMap(readValue);

/** The readers of documents: all problems that each finds. */
const readers = {
  "a value": (source) => {
    const { tree, problems } = parseJson(source);
    return tree === undefined ? problems : readValue(tree);
  },
  "a tensor": (source) => types.flatMap((type) => readJson(source, type).problems),
  "a feed": (source) =>
    [...readFeed(source)].flatMap(({ document, problems }) => [
      ...problems,
      ...readValues(document?.fields),
      ...[...(document?.changes.values() ?? [])].flat().flatMap(({ value }) => readValue(value)),
    ]),
  "a query": (source) => {
    const { query, problems } = readQuery(source);
    return [...problems, ...readValues(query?.inputs, query?.properties, query?.parameters)];
  },
  "a response": (source) => {
    const { response, problems } = readResponse(source);
    const hits = response?.hits ?? [];
    captureText(hits, { name: source.name, profile: "p" });
    return [...problems, ...hits.flatMap(({ features, fields }) => readValues(features, fields))];
  },
  features: (source) => {
    const { features, problems } = readFeatures(source);
    return [...problems, ...readValues(features)];
  },
  "a setting": (source) => {
    const { value, problems } = outcome(() => featureSetting(source.text));
    return problems ?? readValue(value[1]);
  },
  "a notebook": (source) => outcome(() => readSetup(source)).problems ?? [],
  "rank tests": async (source) => {
    const { file, problems } = await readRankTests(source, (path, span) =>
      problemOfFile(path, "not here", span),
    );
    const values = file.tests.flatMap((each) => [
      ...readValues(each.inputs, each.parameters, each.properties, each.features),
      ...each.documents.flatMap((document) => readValues(document.fields, document.features)),
      ...each.expected.flatMap(({ value }) => readValue(value)),
    ]);
    return [...problems, ...values];
  },
} as const satisfies Readonly<
  Record<string, (source: Source) => readonly Problem[] | Promise<readonly Problem[]>>
>;

/** Gives a text to a reader: its problems lie in it, but for those of a tensor in the text of a value. */
async function read(reader: keyof typeof readers, text: string): Promise<void> {
  const problems = await readers[reader]({ name: "a.json", text });
  for (const each of problems) {
    const { text: own } = each.span.source;
    if (/^(?:json|yaml|test|playground)\//.test(each.code) && !each.span.source.name.startsWith("a.json "))
      expect(own, each.code).toBe(text);
    expectPlaced([each], own);
  }
}

describe("documents after accidents", () => {
  const all = Object.values(documents)
    .flat()
    .map((each) => (typeof each === "string" ? each : each[1]));

  // biome-ignore format: a table
  const own = {
    "a value":    all,
    "a tensor":   documents.tensors.map(([, text]) => text),
    "a feed":     documents.feeds,
    "a query":    documents.queries,
    "a response": documents.responses,
    features:     documents.features,
    "a setting":  documents.settings,
    "a notebook": documents.notebooks,
    "rank tests": documents.rankTests,
  } as const satisfies Readonly<Record<keyof typeof readers, readonly string[]>>;

  test.each(Object.keys(readers) as (keyof typeof readers)[])("%s is read or refused", async (reader) => {
    for (const text of own[reader]) {
      await read(reader, text);
    }
    const texts = fc.oneof({ weight: 5, arbitrary: accidents(own[reader]) }, accidents(all), noise);
    await holds(
      fc.asyncProperty(texts, (text) => read(reader, text)),
      150,
    );
  });
});
