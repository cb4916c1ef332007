import type { Meaning } from "./meaning.js";
import { refuse } from "./refusal.js";
import type { Argument, Expression, WrittenDimension, WrittenType } from "./syntax.js";
import { cellNameOf, type Type, typeOf } from "./type.js";

/** What a name stands for. */
export type Binding =
  | { readonly kind: "value"; readonly meaning: () => Meaning }
  /** Of a generator: a number, and the name of its dimension, for which a parameter may stand. */
  | { readonly kind: "index"; readonly number: Meaning; readonly dimension: string }
  /** Of a parameter: it is read where it is used, in the scope of the call. */
  | { readonly kind: "argument"; readonly argument: Argument; readonly scope: Scope }
  | {
      readonly kind: "function";
      readonly parameters: readonly string[];
      readonly body: Expression;
      readonly scope: Scope;
    };

/** The names that an expression sees. */
export class Scope {
  /** What expressions mean here, each found once. */
  readonly meanings = new Map<Expression, Meaning>();

  constructor(
    private readonly outer: Scope | undefined,
    private readonly bindings: ReadonlyMap<string, Binding>,
  ) {}

  find(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.outer?.find(name);
  }

  within(bindings: Iterable<readonly [string, Binding]>): Scope {
    return new Scope(this, new Map(bindings));
  }

  /** The word that a name is, where it is no value: a parameter stands for a word of the call. */
  word(name: string): string {
    const found = this.find(name);
    if (found?.kind === "index") return found.dimension;
    if (found?.kind !== "argument") return name;
    return wordIn(found.argument, found.scope) ?? refuse(`${name} is no word`);
  }

  type({ cells, dimensions }: WrittenType): Type {
    return typeOf(
      cellNameOf(this.word(cells)),
      dimensions.map((each) => this.dimension(each)),
    );
  }

  private dimension({ name, isMapped, size }: WrittenDimension): Type["dimensions"][number] {
    const number = size === undefined ? undefined : Number(this.word(size));
    if (Number.isNaN(number)) refuse(`${size} is no size`);
    return { name: this.word(name), isMapped, size: number };
  }
}

/** A name or a number, also in brackets; nothing where an argument is anything else. */
export function wordIn(argument: Argument, scope: Scope): string | undefined {
  if (!("kind" in argument)) return undefined;
  switch (argument.kind) {
    case "parentheses":
      return wordIn(argument.inner, scope);
    case "name":
      return scope.word(argument.name);
    case "number":
      return argument.text;
    case "prefix":
      return argument.operator === "-" ? `-${wordIn(argument.operand, scope)}` : undefined;
    default:
      return undefined;
  }
}
