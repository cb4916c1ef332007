import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, parseTensor, preludeText, type Tensor } from "../../src/index.js";
import { preludeNames } from "../../src/language/check/prelude-names.js";
import { parseProgram } from "../../src/language/syntax/parse.js";
import { isNear } from "../../src/language/values/near.js";
import { evaluate } from "../engine-evaluate.js";

/**
 * The prelude is documented by examples, and each of them is tried here. And Table 1 of the Paper: what it prints as
 * the definition of a function is what the function does. The Paper is not part of the project; without it those tests
 * are skipped.
 */

interface Documented {
  readonly name: string;
  /** The lines of comment right above the definition. */
  readonly comment: readonly string[];
}

function documentedDefinitions(): Documented[] {
  const { tree } = parseProgram({ name: "prelude", text: preludeText });
  return (tree?.statements ?? []).map((statement) => {
    const name = statement.kind === "definition" ? statement.name.text : statement.kind;
    const above = preludeText.slice(0, statement.span.start).split("\n").slice(0, -1);
    const first = above.findLastIndex((line) => !line.startsWith("#")) + 1;
    return { name, comment: above.slice(first) };
  });
}

const examplePattern = /^# {3}(?<expression>.+?) {2}> {2}(?<value>.+)$/;
const definitions = documentedDefinitions();
const examples = definitions.flatMap(({ name, comment }) =>
  comment.flatMap((line) => {
    const { expression, value } = examplePattern.exec(line)?.groups ?? {};
    return expression === undefined || value === undefined ? [] : [{ name, expression, value }];
  }),
);

describe("the prelude", () => {
  test("means something, with nothing to say against it", () => {
    expect(definitions.length).toBeGreaterThan(10);
    expect(check(preludeText).filter((each) => each.code !== "name/shadows")).toEqual([]);
  });

  test("its names are found without reading it", () => {
    expect(preludeNames().all).toEqual(definitions.map(({ name }) => name));
  });

  test.each(definitions)("$name has a sentence and an example that calls it", ({ name, comment }) => {
    const sentences = comment.filter((line) => !examplePattern.test(line));
    expect(sentences.join("\n")).toMatch(/^# [A-Za-z].*\.$/s);
    expect(examples.some((each) => each.name === name && each.expression.startsWith(`${name}(`))).toBe(true);
  });

  test.each(examples)("$expression is $value", ({ expression, value }) => {
    expect(evaluate(expression).toString()).toBe(value);
    expect(evaluate(expression).equals(parseTensor(value))).toBe(true);
  });
});

/** A row of Table 1: how a function is called, and what the Paper says that this is. */
interface Row {
  readonly call: string;
  readonly definition: string;
}

const paper = new URL("../../../shared/seeds/paper-tensor-formalism.txt", import.meta.url);

const rows = existsSync(paper) ? readTable(readFileSync(paper, "utf8")) : [];

function readTable(text: string): Row[] {
  const found = text.matchAll(/^<i>(?<call>.+?)<\/i>\t<i>(?<definition>.+?)<\/i>\t/gm);
  return [...found].map(({ groups }) => ({
    call: set(groups?.call ?? ""),
    definition: set(groups?.definition ?? ""),
  }));
}

/** A text of the table with its typesetting mended, and numbers where it has letters for them. */
function set(printed: string): string {
  const mended = printed.replace("! =", "!=").replace(", ...", "");
  return mended
    .replace(/\bn1\b/g, "2")
    .replace(/\bn2\b/g, "3")
    .replace(/\bn\b/g, "4")
    .replace(/\bconstant\b/g, "3");
}

/** Tensors for the names in the table: dense, sparse and mixed; with equal cells, zeros and signs. */
const operands: readonly (readonly [kind: string, tensors: Readonly<Record<string, string>>])[] = [
  [
    "dense",
    {
      t: "tensor(dim[3],z[2]):[[0.5,-0.25],[1,0.75],[-1,1]]",
      t1: "tensor(dim[3]):[1,-2,3]",
      t2: "tensor(dim[3],z[2]):[[1,2],[-2,-2],[0.5,4]]",
      x: "tensor(dim[2]):[1,2]",
      w: "tensor(dim[2],out[3]):[[1,0,-1],[0.5,2,3]]",
      b: "tensor(out[3]):[10,20,30]",
    },
  ],
  [
    "sparse",
    {
      t: "tensor(dim{},z{}):{{dim:a,z:p}:0.5,{dim:b,z:p}:-1,{dim:b,z:q}:0.75}",
      t1: "tensor(dim{}):{a:1,b:-2,c:3}",
      t2: "tensor(dim{},z{}):{{dim:a,z:p}:1,{dim:b,z:q}:4,{dim:d,z:q}:5}",
      x: "tensor(dim{}):{a:1,b:2}",
      w: "tensor(dim{},out{}):{{dim:a,out:o}:3,{dim:b,out:o}:0.5,{dim:b,out:u}:-1}",
      b: "tensor(out{}):{o:10,u:20}",
    },
  ],
  [
    "mixed",
    {
      t: "tensor(dim{},z[2]):{a:[0.5,-0.25],b:[1,-1]}",
      t1: "tensor(dim{},y[2]):{a:[1,2],b:[-1,0],c:[3,3]}",
      t2: "tensor(dim{},z[2]):{a:[1,2],b:[-1,4],d:[5,6]}",
      x: "tensor(dim{}):{a:1,b:2}",
      w: "tensor(dim{},out[2]):{a:[1,-1],b:[0.5,2]}",
      b: "tensor(out[2]):[10,20]",
    },
  ],
];

/** Whether all cells are the same up to the last place: a definition may round where the function does not. */
function sameCells(one: Tensor, other: Tensor): boolean {
  const cells = [...other.cells()];
  return [...one.cells()].every(({ address, value }, at) => {
    const found = cells[at];
    if (found === undefined || JSON.stringify(found.address) !== JSON.stringify(address)) return false;
    return isNear(found.value, value, 2 ** -51 * Math.abs(value));
  });
}

const nameOf = ({ call }: Row): string => /^\w+(?=\()/.exec(call)?.[0] ?? call;
const isSpecial = (row: Row): boolean => ["argmin", "random"].includes(nameOf(row));

describe("Table 1 of the Paper", () => {
  test("is at hand, and has all of its 53 rows", (context) => {
    if (rows.length === 0) context.skip("../shared/seeds/paper-tensor-formalism.txt is absent");
    expect(rows).toHaveLength(53);
    expect(new Set(rows.map(({ call }) => call)).size).toBe(53);
  });

  // Without the table there are no rows, and a suite must have a test.
  describe.each(rows.length === 0 ? [] : operands)("on %s tensors", (_, tensors) => {
    test.each(rows.filter((row) => !isSpecial(row)))("$call is $definition", ({ call, definition }) => {
      const [called, defined] = [evaluate(call, tensors), evaluate(definition, tensors)];
      expect(called.type.toString()).toBe(defined.type.toString());
      expect(called.data.length).toBe(defined.data.length);
      expect(sameCells(called, defined), `${called} and ${defined}`).toBe(true);
      expect(called.data.length).toBeGreaterThan(0);
    });
  });

  test.runIf(rows.length > 0)("random draws every cell from 0 up to 1", () => {
    const row = rows.find((each) => nameOf(each) === "random");
    const drawn = evaluate(row?.call ?? "");
    expect(drawn.type.toString()).toBe("tensor(i1[2],i2[3])");
    const cells = [...drawn.cells()].map(({ value }) => value);
    expect(cells.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(new Set(cells).size).toBe(6);
  });

  test("argmin marks the lowest cells, although the formula that is printed for it marks none", () => {
    const tensors = { t: "tensor(dim[4]):[2,-1,3,-1]" };
    expect(evaluate("argmin(t)", tensors).toString()).toBe("tensor(dim[4]):[0.0, 1.0, 0.0, 1.0]");
    const printed = rows.find((each) => nameOf(each) === "argmin")?.definition;
    if (printed !== undefined)
      expect(evaluate(printed, tensors).toString()).toBe("tensor(dim[4]):[0.0, 0.0, 0.0, 0.0]");
  });
});
