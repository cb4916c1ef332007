import { chosen, converted, cut, join, map } from "./elementwise.js";
import { called } from "./function.js";
import { type Arguments, type Lambda, Meaning, meaningOf, numberMeaning } from "./meaning.js";
import { type Dialect, ofOne, ofTwo } from "./number-function.js";
import { prelude } from "./prelude.js";
import { Reader } from "./reader.js";
import { LeftOut, refuse } from "./refusal.js";
import { type Binding, Scope, wordIn } from "./scope.js";
import { generated } from "./shaping.js";
import type { Argument, Expression, ExpressionOf, LiteralBody, Statement, WrittenLambda } from "./syntax.js";
import { dimensionOf, eitherType, indexedOf, isScalar, type Type, typeOf } from "./type.js";
import { type Cell, combinations, labelAt, numberValue, stored, type Value } from "./value.js";

/** How many cells a program may compute. */
const mostCells = 300_000;

/** What expressions mean in their scopes (sections 0, 3 and 4 of the language). */
export class Evaluator {
  private cells = 0;
  private readonly ground: Scope;

  constructor(private readonly dialect: Dialect) {
    this.ground = this.scopeOf(new Reader(prelude).program(), new Map(), undefined);
  }

  /** The results of a program whose inputs have these values. */
  results(text: string, inputs: ReadonlyMap<string, Value>): readonly Value[] {
    const statements = new Reader(text).program();
    const scope = this.scopeOf(statements, inputs, this.ground);
    return statements.flatMap(({ kind, value }) =>
      kind === "result" && value !== undefined ? [this.meaning(value, scope).value] : [],
    );
  }

  private scopeOf(
    statements: readonly Statement[],
    inputs: ReadonlyMap<string, Value>,
    outer: Scope | undefined,
  ): Scope {
    const bindings = new Map<string, Binding>();
    const scope = new Scope(outer, bindings);
    for (const { kind, name, parameters, type, value } of statements) {
      if (kind === "result" || value === undefined) continue;
      if (parameters !== undefined) bindings.set(name, { kind: "function", parameters, body: value, scope });
      else
        bindings.set(name, {
          kind: "value",
          meaning: () => {
            const meaning = this.meaning(value, scope);
            return type === undefined ? meaning : converted(meaning, scope.type(type));
          },
        });
    }
    for (const [name, value] of inputs)
      bindings.set(name, { kind: "value", meaning: () => meaningOf(value) });
    return scope;
  }

  private meaning(expression: Expression, scope: Scope): Meaning {
    const cached = scope.meanings.get(expression);
    if (cached !== undefined) return cached;
    const found = this.found(expression, scope);
    const meaning = new Meaning(found.type, () => {
      const { value } = found;
      this.cells += 1 + value.cells.length;
      if (this.cells > mostCells) throw new LeftOut("a program that takes long");
      return value;
    });
    scope.meanings.set(expression, meaning);
    return meaning;
  }

  private scalar(expression: Expression, scope: Scope): Meaning {
    const meaning = this.meaning(expression, scope);
    return isScalar(meaning.type) ? meaning : refuse("a scalar is expected");
  }

  private found(expression: Expression, scope: Scope): Meaning {
    switch (expression.kind) {
      case "number":
        return numberMeaning(expression.value);
      case "string":
        throw new LeftOut("a string as a number");
      case "parentheses":
        return this.meaning(expression.inner, scope);
      case "prefix":
        return map(this.meaning(expression.operand, scope), rowOf(ofOne, expression.operator));
      case "infix": {
        const [left, right] = [expression.left, expression.right].map((each) => this.meaning(each, scope));
        if (left === undefined || right === undefined) throw new Error("there are two operands");
        return join(left, right, rowOf(ofTwo[this.dialect], expression.operator));
      }
      case "membership": {
        const items = expression.items.map((each) => this.scalar(each, scope));
        return map(this.meaning(expression.operand, scope), (x) =>
          items.some(({ number }) => number === x) ? 1 : 0,
        );
      }
      case "name":
        return this.named(expression.name, scope);
      case "generate": {
        const type = scope.type(expression.type);
        // A parameter in the place of a dimension is an index in the body, by its own name.
        const names = expression.type.dimensions.map(({ name }) => name);
        const body = (index: (name: string) => number): Meaning => {
          const indexes = names.map((name): [string, Binding] => {
            const dimension = scope.word(name);
            return [name, { kind: "index", number: numberMeaning(index(dimension)), dimension }];
          });
          return this.scalar(expression.body, scope.within(indexes));
        };
        body(() => 0);
        return generated(type, (indexes) => body((name) => Number(labelAt(indexes, name))).number);
      }
      case "indexes":
        return this.indexes(expression, scope);
      case "literal":
        return this.literal(expression, scope);
      case "switch":
        return this.choice(expression, scope);
      case "slice":
        return this.slice(expression, scope);
      case "call":
        return this.call(expression, scope);
    }
  }

  private named(name: string, scope: Scope): Meaning {
    const found = scope.find(name);
    switch (found?.kind) {
      case "value":
        return found.meaning();
      case "index":
        return found.number;
      case "argument":
        return this.argument(found.argument, found.scope);
      case "function":
        return this.expanded(found, [], scope);
      case undefined:
        if (name === "true" || name === "false") return numberMeaning(name === "true" ? 1 : 0);
        return refuse(`${name} is no name`);
    }
  }

  private argument(argument: Argument, scope: Scope): Meaning {
    return "kind" in argument ? this.meaning(argument, scope) : refuse("an argument is no tensor");
  }

  /** The body of a function, in which parameters stand for arguments. */
  private expanded(
    { parameters, body, scope: own }: Binding & { readonly kind: "function" },
    all: readonly Argument[],
    scope: Scope,
  ): Meaning {
    if (parameters.length !== all.length) refuse("a function has as many arguments as parameters");
    const bindings = all.map((argument, at): [string, Binding] => [
      parameters[at] ?? "",
      { kind: "argument", argument, scope },
    ]);
    return this.meaning(body, own.within(bindings));
  }

  private call({ name, arguments: all }: ExpressionOf<"call">, scope: Scope): Meaning {
    const own = scope.find(name);
    const isOfProgram = own?.kind === "function" && own.scope !== this.ground;
    if (isOfProgram) return this.expanded(own, all, scope);
    const found = called(name, this.arguments(all, scope));
    if (found !== undefined) return found;
    if (own?.kind === "function") return this.expanded(own, all, scope);
    throw new LeftOut(`the function ${name}`);
  }

  private arguments(all: readonly Argument[], scope: Scope): Arguments {
    const at = (index: number): Argument => all[index] ?? refuse("an argument too few");
    const word = (index: number): string => wordIn(at(index), scope) ?? refuse("a word is expected");
    return {
      count: all.length,
      dialect: this.dialect,
      tensor: (index) => this.argument(at(index), scope),
      lambda: (index) => this.lambda(at(index), scope),
      word,
      words: (index) => wordsIn(at(index), scope) ?? [word(index)],
      bareWord: (index) => bareWord(at(index), scope),
    };
  }

  private lambda(argument: Argument, scope: Scope): Lambda {
    if (isLambda(argument)) {
      const { parameters, body } = argument;
      return {
        of: (...values) => {
          if (values.length !== parameters.length) refuse("a lambda with other parameters is expected");
          const bindings = values.map((value, at): [string, Binding] => [parameters[at] ?? "", bound(value)]);
          return this.meaning(body, scope.within(bindings));
        },
      };
    }
    const passed = passedOn(argument, scope);
    return passed === undefined ? refuse("a lambda is expected") : this.lambda(passed.argument, passed.scope);
  }

  private indexes({ function: name, type: written }: ExpressionOf<"indexes">, scope: Scope): Meaning {
    if (name === "random") throw new LeftOut("chance");
    const type = scope.type(written);
    return generated(type, (address) => {
      const all = Object.values(address).map(Number);
      if (name === "range") return all.reduce((sum, index) => sum + index, 0);
      return all.every((index) => index === all[0]) ? 1 : 0;
    });
  }

  private choice({ on, cases, otherwise }: ExpressionOf<"switch">, scope: Scope): Meaning {
    const value = this.scalar(on, scope);
    const rest = this.meaning(otherwise, scope);
    const all = cases.map((each) => ({
      value: this.scalar(each.value, scope),
      result: this.meaning(each.result, scope),
    }));
    const type = all.reduce((either, { result }) => eitherType(either, result.type), rest.type);
    return chosen(type, () => all.find((each) => each.value.number === value.number)?.result ?? rest);
  }

  private slice({ tensor: of, selections }: ExpressionOf<"slice">, scope: Scope): Meaning {
    const tensor = this.meaning(of, scope);
    const at = selections.map(({ dimension, isMapped, at: label }): [string, () => string] => {
      const name = dimension === undefined ? onlyOne(tensor.type, isMapped) : scope.word(dimension);
      if (dimensionOf(tensor.type, name) === undefined) refuse(`there is no dimension ${name}`);
      if (typeof label === "string") return [name, () => label];
      const index = this.scalar(label, scope);
      return [name, () => labelOf(index.number)];
    });
    const gone = at.map(([name]) => name);
    const type = typeOf(
      tensor.type.cells,
      tensor.type.dimensions.filter(({ name }) => !gone.includes(name)),
    );
    return cut(tensor, type, () => new Map(at.map(([name, label]) => [name, label()])));
  }

  private literal({ type: written, body }: ExpressionOf<"literal">, scope: Scope): Meaning {
    const type = scope.type(written);
    if (indexedOf(type).some(({ size }) => size === undefined)) refuse("a literal has sizes");
    const extents = new Map(indexedOf(type).map(({ name, size = 0 }) => [name, size]));
    const order = written.dimensions.map(({ name, isMapped }) => ({ name: scope.word(name), isMapped }));
    const mapped = order.filter((each) => each.isMapped).map(({ name }) => name);
    const block = order.filter((each) => !each.isMapped).map(({ name }) => name);
    type Entry = { readonly address: Cell["address"]; readonly value: Meaning };
    const entries = (part: LiteralBody, labels: Cell["address"], depth: number): readonly Entry[] => {
      switch (part.kind) {
        case "block": {
          const all = combinations(block, extents);
          if (all.length !== part.cells.length) refuse("a block has other sizes");
          return part.cells.map((each, at) => ({
            address: { ...labels, ...all[at] },
            value: this.scalar(each, scope),
          }));
        }
        case "labels":
          return part.entries.flatMap(([label, inner]) =>
            entries(inner, { ...labels, [mapped[depth] ?? refuse("a label too many")]: label }, depth + 1),
          );
        case "cells":
          return part.cells.map(({ address, value }) => ({
            address: {
              ...labels,
              ...Object.fromEntries(address.map(([name, label]) => [scope.word(name), label])),
            },
            value: this.scalar(value, scope),
          }));
      }
    };
    const all = entries(body, {}, 0);
    return new Meaning(type, () => {
      // The 0-order tensor without a cell (D5).
      if (isScalar(type) && all.length === 0) return numberValue(this.dialect === "vespa" ? 0 : Number.NaN);
      return stored(
        type,
        extents,
        all.map(({ address, value }) => ({ address, value: value.number })),
      );
    });
  }
}

const bound = (meaning: Meaning): Binding => ({ kind: "value", meaning: () => meaning });

const rowOf = <T>(table: Readonly<Record<string, T>>, name: string): T =>
  table[name] ?? refuse(`there is no operator ${name}`);

const isLambda = (argument: Argument): argument is WrittenLambda => "parameters" in argument;

/** What a parameter stands for, where an argument is one. */
function passedOn(argument: Argument, scope: Scope): (Binding & { readonly kind: "argument" }) | undefined {
  if (!("kind" in argument) || argument.kind !== "name") return undefined;
  const found = scope.find(argument.name);
  return found?.kind === "argument" ? found : undefined;
}

/** A name that stands by itself, or the word that it passes on. */
function bareWord(argument: Argument, scope: Scope): string | undefined {
  if (!("kind" in argument) || argument.kind !== "name") return undefined;
  const passed = passedOn(argument, scope);
  return passed === undefined ? scope.word(argument.name) : wordIn(passed.argument, passed.scope);
}

function wordsIn(argument: Argument, scope: Scope): readonly string[] | undefined {
  if ("names" in argument) return argument.names.map((name) => scope.word(name));
  const passed = passedOn(argument, scope);
  return passed && wordsIn(passed.argument, passed.scope);
}

/** The one dimension of a kind that a short slice means. */
function onlyOne(type: Type, isMapped: boolean): string {
  const [found, other] = type.dimensions.filter((each) => each.isMapped === isMapped);
  if (found === undefined || other !== undefined)
    return refuse("a short slice is of the only dimension of its kind");
  return found.name;
}

/** The label of a computed index: the whole number without its fraction. What is not finite has one that no cell has. */
const labelOf = (index: number): string =>
  Number.isFinite(index) ? `${BigInt(Math.trunc(index))}` : `\0${index}`;
