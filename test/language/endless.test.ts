import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { check, format, readNpz, readTensor, SphexError, showProblem } from "../../src/index.js";
import { searchesOf } from "../../src/vespa/ranking/neighbours/nearest-neighbour.js";
import { readFeed, readQuery, readRankTests, readResponse } from "../../src/vespa.js";
import { npy } from "../growth/formats.js";
import { many } from "../growth/row.js";
import { inTime } from "../outcome.js";
import { patient } from "../patience.js";

/**
 * Inputs that once took minutes, hours or all of the memory, in the sizes in which they were found. What they are examples
 * of is the matter of `growth.test.ts`.
 */
const source = (text: string) => ({ name: "text", text });

/** Tells all problems as data and as lines. */
function told(problems: readonly Parameters<typeof showProblem>[0][]): string {
  for (const problem of problems) showProblem(problem);
  return JSON.stringify(problems);
}

/** The problems of work that is refused. */
function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SphexError) return told(error.problems);
    throw error;
  }
  throw new Error("this is not refused");
}

const spaces = npy(`{'descr': '<f8'${" ".repeat(60_000)}`);
const hit = '{"id":"id:a:doc::1","relevance":1,"fields":{"a":1,"matchfeatures":{"bm25(title)":1.5}}}';

// biome-ignore format: a table
const works: readonly (readonly [what: string, work: () => unknown])[] = [
  ["a header of an array, with spaces",      () => refused(() => readTensor(spaces, "npy"))],
  ["a feed of open braces on lines",         () => [...readFeed(source("{\n".repeat(20_000)))].map(({ problems }) => told(problems))],
  ["20,000 unknown names",                   () => told(check(many(20_000, (at) => `name${at}`, " + ")))],
  ["20,000 unknown names on lines",          () => told(check(many(20_000, (at) => `name${at}`, "\n")))],
  ["60,000 names, and as many unknown ones", () => told(check(many(60_000, (at) => `name${at} = 1\nnam${at}`, "\n")))],
  ["problems that tell a wide type",         () => told(check(`q = tensor(${many(20_000, (at) => `d${at}{}`, ",")}):{}\n${many(20_000, (at) => `sum(q, z${at})`, "\n")}`))],
  ["renames to a name that is there",        () => told(check(`q = tensor(${many(3_000, (at) => `d${at}{}`, ",")}):{}\n${many(2_500, (at) => `rename(q, d${at + 1}, d0)`, "\n")}`))],
  ["60,000 parameters and arguments",        () => told(check(`f(${many(60_000, (at) => `p${at}`, ",")}) = 1\nf(${many(60_000, (at) => `${at}`, ",")})`))],
  ["20,000 dimensions",                      () => told(check(`tensor(${many(20_000, (at) => `d${at}[1]`, ",")})(1)`))],
  ["200,000 columns of comma-separated values", () => refused(() => readTensor(`${many(200_000, (at) => `c${at}`, ",")},x\n1`, "csv"))],
  ["200,000 columns that are dimensions",    () => `${readTensor(`${many(200_000, (at) => `c${at}`, ",")},value\n`, "csv").type}`.length],
  ["a name of 200,000 letters",              () => told(check(`${"b".repeat(200_000)} = 1\n${"a".repeat(200_000)}`))],
  ["a query of objects 200,000 deep",        () => told(readQuery(source(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`)).problems)],
  ["spaces in an operator of YQL",           () => searchesOf(readQuery(source(JSON.stringify({ yql: `{a:b}${" ".repeat(200_000)}(${" ".repeat(200_000)}` }))).query)],
  ["10,000 numbers that lambdas see",        () => told(check(`input q: tensor(x[3])\nv0 = sum(q)\n${many(10_000, (at) => `v${at + 1} = sum(map(q, f(a)(a * v${at})))`, "\n")}`))],
  ["300,000 calls to be formatted",          () => format({ name: "text", text: many(300_000, () => "f(1)", " + ") })],
];

describe("an end is in sight of", () => {
  test.each(works)("%s", patient, (_, work) => {
    inTime(work, 2000);
  });

  test("an archive with such a header", patient, async () => {
    const bytes = zipSync({ "a.npy": spaces });
    expect(bytes.length).toBeLessThan(600);
    await expect(readNpz(bytes)).rejects.toThrow("bytes/shape");
  });

  test("a rank test with 20,000 unknown keys", patient, async () => {
    const text = many(20_000, (at) => `key${at}: 1`, "\n");
    const { problems } = await readRankTests(source(text), () => source(""));
    expect(inTime(() => told(problems)).length).toBeLessThan(10_000_000);
  });

  test("a response with 2000 hits as JSON", patient, () => {
    const text = `{"root":{"children":[${many(2000, () => hit, ",")}]}}`;
    const json = inTime(() => JSON.stringify(readResponse(source(text))));
    expect(json.length).toBeLessThan(5 * text.length);
  });
});

test("of very many problems the message of an error has a thousand", patient, () => {
  const text = many(1500, (at) => `name${at}`, "\n");
  const error = new SphexError(check(text));
  expect(error.problems).toHaveLength(1500);
  expect(error.message.split("\n")).toHaveLength(1001);
  expect(error.message).toMatch(/^\w+:1:1: name\/unknown: .*name0.*\n[\s\S]*\nand 500 more$/);
});
