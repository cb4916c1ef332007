import { compile, parseType, Tensor } from "../../../src/index.js";
import { isNear } from "../../../src/language/values/near.js";
import { type ForestLibrary, type ForestProgram, models, readTrees } from "../../../src/models.js";

/** A forest that at-random.py has trained, in all formats of its library, and what this predicts for rows, in which null is missing. */
export interface ForestCase {
  readonly library: ForestLibrary;
  readonly seed: number;
  readonly settings: string;
  readonly files: readonly ForestContent[];
  readonly rows: readonly (readonly (number | null)[])[];
  readonly predictions: Predictions;
  readonly margins: Predictions;
}

interface ForestContent {
  readonly format: "json" | "ubj" | "dump" | "txt";
  /** As base64. */
  readonly content: string;
}

type Predictions = readonly (readonly number[])[];

export const features = ["age", "price per unit", "x", "colour"];

/** What each way to come to the predictions of a forest has otherwise. */
export function forestDifferences(forest: ForestCase): string[] {
  return forest.files.flatMap((file) => {
    const bytes = Buffer.from(file.content, "base64");
    const found = predictionsOf(readTrees({ name: `m.${file.format}`, bytes }), forest.rows);
    const called = calledInProgram(bytes, file, forest);
    return [
      ...different(`${file.format} as a program`, found, forest, file),
      ...(called === undefined ? [] : different(`${file.format} called for all rows`, called, forest, file)),
    ];
  });
}

/** The predictions of a forest as a program, a row at a time. */
export function predictionsOf({ text, inputs }: ForestProgram, rows: ForestCase["rows"]): number[][] {
  const program = compile(text);
  return rows.map((row) => {
    const values = features.flatMap((feature, at) => {
      const input = inputs.get(feature) ?? inputs.get(feature.replaceAll(" ", "_"));
      return input === undefined ? [] : [[input, row[at] ?? Number.NaN] as const];
    });
    return Array.from(program.run(Object.fromEntries(values)).data, Number);
  });
}

/** A program that calls the model for each row of a table; nothing where a prediction is no number. */
function calledInProgram(
  bytes: Uint8Array,
  { format }: ForestContent,
  { rows, predictions }: ForestCase,
): number[][] | undefined {
  if (predictions[0]?.length !== 1) return undefined;
  const name = `m.${format === "dump" ? "json" : format}`;
  const { inputs } = models({ name, bytes });
  const table = parseType(`tensor(r[${rows.length}],c[${features.length}])`);
  const columns = features.map((feature) => feature.replaceAll(" ", "_"));
  const input = ({ label }: { readonly label: string }): number =>
    columns.indexOf(label.replaceAll(" ", "_"));
  const args = inputs.map((port) => `${port.name}: rows{r:(r),c:${input(port)}}`);
  const text = `model m = file("${name}")
input rows: ${table}
tensor(r[${rows.length}])(m(${args.join(", ")}).prediction)`;
  const cells = Float64Array.from(rows.flat(), (each) => each ?? Number.NaN);
  const values = { rows: Tensor.from(table, cells, { axes: ["r", "c"] }) };
  const result = compile(text, { models, readBytes: () => bytes }).run(values);
  return predictions.map((_, row) => [result.get({ r: row }) ?? Number.NaN]);
}

/** Rows with another prediction. A dump has no base score: what is missing must be the same for all rows. */
function different(
  way: string,
  found: Predictions,
  { rows, predictions, margins, library }: ForestCase,
  { format }: ForestContent,
): string[] {
  const isDump = format === "dump";
  const expected = isDump ? margins : predictions;
  const offset = isDump ? (expected[0]?.[0] ?? Number.NaN) - (found[0]?.[0] ?? Number.NaN) : 0;
  // XGBoost adds floats, LightGBM doubles.
  const tolerance = library === "xgboost" ? 4e-6 : 1e-12;
  return expected.flatMap((numbers, at) => {
    const own = found[at] ?? [];
    const isSame =
      own.length === numbers.length &&
      numbers.every((each, index) =>
        isNear((own[index] ?? Number.NaN) + offset, each, tolerance * Math.max(1, Math.abs(each))),
      );
    return isSame ? [] : [`${way}: [${rows[at]}] is ${own} and not ${numbers}`];
  });
}
