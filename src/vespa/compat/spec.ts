import type { Tensor, TensorType } from "../../index.js";
import { property } from "../../language/values/element.js";
import { general } from "./printf.js";

/**
 * Values as `vespa-eval-expr` writes them: cells by address in the order of the dimensions, with six significant digits,
 * and numbers with all of theirs.
 */

/** For people: a number, or a cell on each line. */
export function shownValue(tensor: Tensor): string {
  if (tensor.type.isScalar) return general(tensor.asNumber(), 32);
  const lines = cellsOf(tensor).map(({ address, value }) => {
    return `  [${address.map(({ label }) => label).join(",")}]: ${general(value)}\n`;
  });
  return `spec(${tensor.type}) {\n${lines.join("")}}`;
}

/** As an expression, for programs. */
export function verbatim(tensor: Tensor): string {
  if (tensor.type.isScalar) return numberExpression(tensor.asNumber());
  const cells = cellsOf(tensor).map(({ address, value }) => {
    const labels = address.map(({ name, label, index }) => {
      return `${name}:${index === undefined ? quoted(label) : label}`;
    });
    return `{${labels.join(",")}}:${numberExpression(value)}`;
  });
  return `${tensor.type}:{${cells.join(",")}}`;
}

/** The type of a value, which is called `double` where it is a number. */
export const typeName = (type: TensorType): string => (type.isScalar ? "double" : `${type}`);

interface Label {
  readonly name: string;
  readonly label: string;
  /** Of an indexed dimension. */
  readonly index: number | undefined;
}

interface SpecCell {
  readonly address: readonly Label[];
  readonly value: number;
}

function cellsOf(tensor: Tensor): readonly SpecCell[] {
  const { dimensions } = tensor.type;
  const cells = [...tensor.cells()].map(({ address, value }): SpecCell => {
    const labels = dimensions.map(({ name, kind }): Label => {
      const label = property(address, name);
      return { name, label, index: kind === "indexed" ? Number(label) : undefined };
    });
    return { address: labels, value };
  });
  return cells.sort(byAddress);
}

function byAddress({ address: left }: SpecCell, { address: right }: SpecCell): number {
  for (const [at, { label, index }] of left.entries()) {
    const other = right[at];
    if (other === undefined) break;
    if (index === undefined || other.index === undefined) {
      if (label !== other.label) return label < other.label ? -1 : 1;
    } else if (index !== other.index) return index - other.index;
  }
  return 0;
}

function numberExpression(value: number): string {
  if (Number.isFinite(value)) return general(value);
  return Number.isNaN(value) ? "(0/0)" : value < 0 ? "(-1/0)" : "(1/0)";
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\f": "\\f",
};

/** A label in quotes, in which what is not printable ASCII is the bytes of its UTF-8. */
function quoted(label: string): string {
  const bytes = (text: string): string =>
    [...new TextEncoder().encode(text)].map((each) => `\\x${each.toString(16).padStart(2, "0")}`).join("");
  return `"${label.replace(/[\\"]|[^\x20-\x7e]/gu, (each) => escapes[each] ?? bytes(each))}"`;
}
