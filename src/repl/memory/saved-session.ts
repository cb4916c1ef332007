import { escapeHidden, numberText, parseProgram, type Tensor } from "../../index.js";
import { last, withNames } from "./last-result.js";
import type { Remarks } from "./remarks.js";

/**
 * A session as a program that `.load` and `sphex run` read: its definitions, and the values that were set as defaults of
 * inputs.
 */
export interface SavedSession {
  /** The definitions by name. */
  readonly statements: readonly (readonly [name: string, text: string])[];
  readonly remarks: Remarks;
  /** The values that were set, in the types of their inputs. */
  readonly values: ReadonlyMap<string, Tensor>;
  /** The values of earlier results that statements mention. */
  readonly results: readonly EarlierResult[];
}

/** An earlier value by the name that it has in statements, and what it was entered as: `_`, or the name that was defined anew. */
export interface EarlierResult {
  readonly name: string;
  readonly enteredAs: string | undefined;
  readonly tensor: Tensor;
}

export function savedText({ statements, remarks, values, results }: SavedSession): string {
  const defined = new Set(statements.map(([name]) => name));
  const free = [...values].filter(([name]) => !defined.has(name));
  const names = readableNames(results, [...defined, ...values.keys()]);
  const lines = [
    ...results.map(({ name, tensor }) => `${names.get(name) ?? name} = ${expressionText(tensor)}`),
    ...free
      .filter(([, tensor]) => hasExpression(tensor))
      .map(([name, tensor]) => `input ${name}: ${tensor.type} = ${expressionText(tensor)}`),
    ...statements.map(([name, text]) => {
      const value = values.get(name);
      const own = names.size === 0 ? text : withReadableNames(name, text, names);
      const saved = value === undefined || !hasExpression(value) ? own : withDefault(name, own, value);
      return remarks.around(name, saved);
    }),
    ...remarks.open,
  ];
  return lines.map((each) => `${each}\n`).join("");
}

/** Names for earlier values as a person would write them: `earlier_total`, which no other has. */
function readableNames(
  results: readonly EarlierResult[],
  others: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(others);
  return new Map(
    results.map(({ name, enteredAs = last }) => {
      const readable = `earlier_${/^[A-Za-z]\w*$/.test(enteredAs) ? enteredAs : "result"}`;
      let own = readable;
      for (let at = 2; taken.has(own); at++) own = `${readable}_${at}`;
      taken.add(own);
      return [name, own];
    }),
  );
}

function withReadableNames(name: string, text: string, names: ReadonlyMap<string, string>): string {
  const [statement] = parseProgram({ name, text }).tree?.statements ?? [];
  return statement === undefined ? text : withNames(statement, names);
}

/**
 * The statement of an input with this default; that of anything else as it is. The type stays as it is written: its order is that of the
 * axes of arrays.
 */
function withDefault(name: string, text: string, value: Tensor): string {
  const [statement] = parseProgram({ name, text }).tree?.statements ?? [];
  if (statement?.kind !== "declaration" || statement.role !== "input") return text;
  const { type } = statement;
  const written = type === undefined ? value.type : text.slice(type.span.start, type.span.end);
  return `input ${name}: ${written} = ${expressionText(value)}`;
}

/** Whether an expression has this value: none has a dense tensor without a cell, as no type has a size of 0. */
const hasExpression = ({ type, data }: Tensor): boolean => !type.isDense || data.length > 0;

/** A tensor as an expression. The literal form is one, but for unbound sizes and for cells that are no numbers. */
export function expressionText(tensor: Tensor): string {
  const { type, sizes, data } = tensor;
  if (type.isScalar) return cellText(tensor, 0);
  const sizeOf = (name: string): number => sizes[type.indexed.findIndex((each) => each.name === name)] ?? 0;
  // A type names no size of 0; where there are no rows, any other is as good.
  const bound = `${type}`.replace(
    /\b(\w+)\[\]/g,
    (_, name: string) => `${name}[${Math.max(1, sizeOf(name))}]`,
  );
  if (bound === `${type}` && data.every((_, at) => Number.isFinite(tensor.at(at)))) return `${tensor}`;
  const cells = [...tensor.cells()].map(({ address }, at) => {
    const labels = Object.entries(address).map(([dimension, label]) => `${dimension}:${labelText(label)}`);
    return `{${labels.join(",")}}:${cellText(tensor, at)}`;
  });
  return `${bound}:{${cells.join(", ")}}`;
}

function cellText(tensor: Tensor, at: number): string {
  const value = tensor.at(at);
  if (Number.isFinite(value)) return numberText(value, tensor.type.cellType);
  return Number.isNaN(value) ? "(0/0)" : value > 0 ? "(1/0)" : "(-1/0)";
}

/** A label as it is written in an expression. */
export const labelText = (label: string): string => (/^\w+$/.test(label) ? label : quotedText(label));

/** A text as it is written in an expression. */
export const quotedText = (text: string): string =>
  `"${escapeHidden(text.replace(/["\\]/g, (sign) => `\\${sign}`).replaceAll("\n", "\\n"))}"`;
