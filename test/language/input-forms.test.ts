import fc from "fast-check";
import { expect, test } from "vitest";
import { compile, type Dimension, type InputValue, type Tensor, writeTensor } from "../../src/index.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";

/**
 * A tensor is the same one however it comes into a program, whatever the order in which its declaration has the dimensions:
 * tensors of random types with random labels and cells, through every form of an input at once.
 */

interface Declared {
  readonly tensor: Tensor;
  /** The type as a text, with the dimensions in this order. */
  readonly text: string;
  readonly dimensions: readonly Dimension[];
}

const declared: fc.Arbitrary<Declared> = tensors().chain((tensor) => {
  const all = tensor.type.dimensions;
  return fc.shuffledSubarray([...all], { minLength: all.length }).map((dimensions) => {
    const names = dimensions.map(({ name, kind, size }) =>
      kind === "mapped" ? `${name}{}` : `${name}[${size ?? ""}]`,
    );
    const cells = tensor.type.cellType === "double" ? "" : `<${tensor.type.cellType}>`;
    return { tensor, dimensions, text: `tensor${cells}(${names.join(",")})` };
  });
});

const axesOf = ({ dimensions }: Declared): readonly string[] => dimensions.map(({ name }) => name);
/** Labels are the outer levels of nested data. */
const levelsOf = ({ dimensions }: Declared): readonly string[] =>
  [
    ...dimensions.filter(({ kind }) => kind === "mapped"),
    ...dimensions.filter(({ kind }) => kind === "indexed"),
  ].map(({ name }) => name);

const hasCells = ({ tensor }: Declared): boolean => tensor.data.length > 0;
/** Whether JSON.stringify writes all cells: it knows no NaN, no infinity and no -0. */
const isPlain = ({ tensor }: Declared): boolean =>
  [...tensor.cells()].every(({ value }) => Object.is(JSON.parse(JSON.stringify(value)), value));
const isText = ({ tensor }: Declared): boolean =>
  !tensor.labels.flat().some((label) => /\p{Cs}/u.test(label));

interface Form {
  readonly name: string;
  /** Whether it can say what the tensor is. */
  readonly holds?: (declared: Declared) => boolean;
  readonly value: (declared: Declared) => InputValue;
}

// biome-ignore format: a table
const forms: readonly Form[] = [
  { name: "a tensor",                      value: ({ tensor }) => tensor },
  { name: "plain data",                    value: ({ tensor }) => structuredClone(tensor.toTransferable()) },
  { name: "a text",                        value: ({ tensor }) => `${tensor}` },
  { name: "JSON of the tensor",            value: ({ tensor }) => JSON.stringify(tensor),                                            holds: isPlain },
  { name: "a list of cells",               value: ({ tensor }) => [...tensor.cells()],                                              holds: hasCells },
  { name: "nested data",                   value: (each) => each.tensor.toNested(levelsOf(each)) as InputValue,                      holds: hasCells },
  { name: "a text of nested arrays",       value: (each) => JSON.stringify(each.tensor.toNested(axesOf(each))),                      holds: (each) => each.tensor.type.isDense && hasCells(each) && isPlain(each) },
  { name: "a typed array",                 value: (each) => each.tensor.toArray(axesOf(each)) as unknown as InputValue,              holds: ({ tensor }) => tensor.type.isDense && tensor.type.isBound },
];

interface FileForm {
  readonly path: string;
  readonly holds?: (declared: Declared) => boolean;
  readonly content: (declared: Declared) => string | Uint8Array;
}

// biome-ignore format: a table
const files: readonly FileForm[] = [
  { path: "w.txt",  content: ({ tensor }) => writeTensor(tensor, "literal") },
  { path: "w.json", content: ({ tensor }) => writeTensor(tensor, "json") },
  { path: "w.csv",  content: ({ tensor }) => writeTensor(tensor, "csv"),                        holds: isText },
  { path: "w.tbf",  content: ({ tensor }) => writeTensor(tensor, "binary"),                     holds: (each) => hasCells(each) && isText(each) },
  { path: "w.npy",  content: (each) => writeTensor(each.tensor, "npy", { axes: axesOf(each) }), holds: (each) => each.tensor.type.isDense && hasCells(each) },
];

const backends = ["engine", "reference"] as const;

test("as a value of an input", () => {
  holds(
    fc.property(declared, fc.constantFrom(...backends), (each, backend) => {
      const program = compile(`input w: ${each.text}\nw`, { backend });
      for (const form of forms) {
        if (form.holds?.(each) === false) continue;
        const read = program.run({ w: form.value(each) });
        expect(`${read}`, `${form.name} as ${each.text}`).toBe(`${each.tensor}`);
      }
    }),
    500,
  );
});

test("as a file of a program", () => {
  holds(
    fc.property(declared, (each) => {
      for (const { path, content, holds: canHold } of files) {
        if (canHold?.(each) === false) continue;
        const written = content(each);
        const program = compile(`constant w: ${each.text} = file("${path}")\nw`, {
          readFile: () => String(written),
          readBytes: () => written as Uint8Array,
        });
        expect(`${program.run()}`, `${path} as ${each.text}`).toBe(`${each.tensor}`);
      }
    }),
    500,
  );
});

test("as what a session keeps", () => {
  holds(
    fc.property(declared, (each) => {
      const session = compile(`variable w: ${each.text} = file("w.txt")\nw`, {
        readFile: () => `${each.tensor}`,
      }).session();
      for (const form of forms) {
        if (form.holds?.(each) === false) continue;
        session.assign({ w: form.value(each) });
        expect(`${session.run()}`, `${form.name} as ${each.text}`).toBe(`${each.tensor}`);
      }
    }),
    200,
  );
});
