import type { Node } from "../core/operations.js";
import { textIn } from "../source/span.js";
import { printExpression } from "../syntax/pretty-printer/print.js";
import {
  type Argument,
  type Definition,
  type Expression,
  isExpression,
  type Reference,
  type Word,
} from "../syntax/tree.js";

/** A function or named value that a program or the prelude defines. */
export type NameDefinition =
  | {
      readonly kind: "function";
      readonly tree: Definition;
      readonly parameters: readonly Word[];
      /** The names that its text sees. */
      readonly names: Names;
    }
  | {
      readonly kind: "value";
      readonly node: () => Node | undefined;
      /** What it is defined as. */
      readonly expression?: Expression | undefined;
    };

/**
 * Values by canonical feature name. Most references are calls of functions and no features: where no feature begins with
 * the word, its canonical name, which has the text of all arguments, is not built. Created empty and filled with `set`.
 */
export class FeatureMap<T> extends Map<string, T> {
  private readonly words = new Set<string>();
  private readonly calledWords = new Set<string>();

  override set(name: string, value: T): this {
    const word = name.replace(/[(.].*/s, "");
    this.words.add(word);
    if (name[word.length] === "(") this.calledWords.add(word);
    return super.set(name, value);
  }

  /** Whether a feature begins with this word and arguments. */
  hasCalled(word: string): boolean {
    return this.calledWords.has(word);
  }

  lookup(reference: Reference): T | undefined {
    return this.words.has(reference.name.text) ? this.get(featureName(reference)) : undefined;
  }
}

/** The names that a text defines, and after them those of the prelude. */
export class Names {
  private readonly defined = new FeatureMap<NameDefinition>();

  constructor(readonly outer?: Names) {}

  get isPrelude(): boolean {
    return this.outer === undefined;
  }

  define(name: string, definition: NameDefinition): void {
    this.defined.set(name, definition);
  }

  own(name: string): NameDefinition | undefined {
    return this.defined.get(name);
  }

  /** The definition whose name is the whole of a reference. */
  feature(reference: Reference): NameDefinition | undefined {
    return this.defined.lookup(reference);
  }

  /** The names of functions, which a call may have meant. */
  get functions(): string[] {
    const own = [...this.defined].flatMap(([name, { kind }]) => (kind === "function" ? [name] : []));
    return [...own, ...(this.outer?.functions ?? [])];
  }

  /** The names that are values where they stand alone; a function without parameters is one. */
  get values(): string[] {
    const own = [...this.defined].flatMap(([name, each]) =>
      each.kind === "value" || each.parameters.length === 0 ? [name] : [],
    );
    return [...own, ...(this.outer?.values ?? [])];
  }

  /** Whether a name is defined here or around. */
  has(name: string): boolean {
    return this.defined.has(name) || (this.outer?.has(name) ?? false);
  }

  get all(): string[] {
    return [...this.defined.keys(), ...(this.outer?.all ?? [])];
  }
}

/**
 * The canonical name of a feature: `query(q)`, `bm25(field:title)`, `onnx(m).out`. Two references are one feature if
 * and only if these texts are equal; `foo()` is `foo`.
 */
export function featureName(reference: Reference): string {
  const args = reference.arguments ?? [];
  const list = args.length === 0 ? "" : `(${args.map(argumentText).join(",")})`;
  return [reference.name.text + list, ...reference.outputs.map((each) => each.text)].join(".");
}

function argumentText(argument: Argument): string {
  if (argument.kind === "reference" && argument.grouped === undefined) return featureName(argument);
  if (argument.kind === "number") return argument.text;
  if (argument.kind === "text") return JSON.stringify(argument.value);
  if (argument.kind === "named") return `${argument.name.text}:${namedText(argument.value)}`;
  if (!isExpression(argument)) return textIn(argument.span).replace(/\s+/g, "");
  return printExpression(argument);
}

/** A label may be quoted; it is the same label. */
const namedText = (value: Expression): string => (value.kind === "text" ? value.value : argumentText(value));

/** The word that an argument is, where it is a bare name or number. */
export function bareWord(argument: Argument | Expression): Word | undefined {
  if (argument.kind === "number") return { text: argument.text, span: argument.span };
  const bare =
    argument.kind === "reference" && argument.arguments === undefined && argument.outputs.length === 0;
  return bare && argument.grouped === undefined ? argument.name : undefined;
}
