import { isTensorArgument } from "../language/check/calls/tensor-arguments.js";
import { featureName } from "../language/check/names.js";
import { append } from "../language/source/lists.js";
import type { Span } from "../language/source/span.js";
import { partsOf, sizesOf, wordsOf } from "../language/syntax/parts.js";
import {
  type Argument,
  isNaming,
  type NamingStatement,
  type ProgramTree,
  type Reference,
  type Role,
  type Statement,
  type Word,
} from "../language/syntax/tree.js";

export type SymbolKind = Role | "model" | "value" | "function" | "parameter" | "index";

/** A name that a text defines. */
export interface NamedSymbol {
  /** Canonical: `query(q)`. */
  readonly name: string;
  readonly kind: SymbolKind;
  /** Where the name stands in its definition. */
  readonly span: Span;
  /** The statement that defines it, or whose expression binds it. */
  readonly statement: Statement;
}

/** A name where it stands: in its definition, or where it is used. */
export interface Occurrence {
  readonly symbol: NamedSymbol;
  readonly span: Span;
  /** The statement that it stands in. */
  readonly statement: Statement;
  /** Whether it may be a dimension: an argument of a call that the program never makes. */
  readonly isUncertain?: boolean;
}

/** A word that is no name: of a dimension, a cell type, an aggregator or a function of the language. */
export interface FreeWord {
  readonly text: string;
  readonly statement: Statement;
}

type Bound = ReadonlyMap<string, NamedSymbol>;

/**
 * What a bare word is where it stands: `read` by the checker, in a call that takes values and words, which of both its type says;
 * `unread`, as the program never makes the call; otherwise a `value`.
 */
type WordReading = "value" | "read" | "unread";

/** A tree that is to be read, with the names that are bound around it. */
interface Visit {
  readonly tree: Argument;
  readonly bound: Bound;
  readonly reading: WordReading;
  readonly statement: Statement;
}

/** What the checker found of a text. */
export interface Findings {
  /** Whether an expression was elaborated. */
  readonly hasType: (tree: Argument) => boolean;
  /** Whether a function of this name may be called beside those of the text. */
  readonly isFunction: (name: string) => boolean;
}

/**
 * The names of a text and all their occurrences, by the rules of scopes: parameters of lambdas, dimensions of generators and
 * parameters of functions from the inside out, then the names of the program. A bare word among arguments may be a value or the
 * name of a dimension: it is a value where the checker gave it a type, and in a call that the checker never read where the function
 * takes nothing else.
 */
export class SymbolTable {
  /** The names of the program, in the order of the text. */
  readonly program = new Map<string, NamedSymbol>();
  /** In the order of the statements, and within each in that of the text. */
  readonly occurrences: readonly Occurrence[];
  /** The words that are no names, in any order. */
  readonly freeWords: FreeWord[] = [];
  /** The parameters of functions, which may stand for a dimension, a size or a cell type, as those of lambdas may not. */
  private readonly arguments = new Set<NamedSymbol>();

  constructor(
    tree: ProgramTree,
    private readonly findings: Findings,
  ) {
    for (const statement of tree.statements) this.define(statement);
    const found: Occurrence[] = [];
    for (const statement of tree.statements) {
      const own: Occurrence[] = [];
      this.read(statement, own);
      append(
        found,
        own.sort((a, b) => a.span.start - b.span.start),
      );
    }
    this.occurrences = found;
  }

  /** The occurrence that an offset is in, or at the end of. */
  at(offset: number): Occurrence | undefined {
    return this.occurrences.find(({ span }) => span.start <= offset && offset <= span.end);
  }

  occurrencesOf(symbol: NamedSymbol): readonly Occurrence[] {
    return this.occurrences.filter((each) => each.symbol === symbol);
  }

  private define(statement: Statement): void {
    if (!isNaming(statement)) return;
    const name = nameOf(statement);
    if (!this.program.has(name))
      this.program.set(name, { name, kind: kindOf(statement), span: statement.name.span, statement });
  }

  private read(statement: Statement, found: Occurrence[]): void {
    if (statement.kind === "result") return this.readTree(statement.expression, new Map(), statement, found);
    if (statement.kind === "assignment") {
      const symbol = this.program.get(featureName(statement.name));
      if (symbol !== undefined) found.push({ symbol, span: statement.name.span, statement });
    }
    if (!isNaming(statement)) return this.readTree(statement.value, new Map(), statement, found);
    const symbol = this.program.get(nameOf(statement));
    // A name that is defined twice is the first one; the second definition is a problem, and renamed with it.
    if (symbol !== undefined) found.push({ symbol, span: statement.name.span, statement });
    if (statement.kind !== "definition") {
      if (statement.value !== undefined) this.readTree(statement.value, new Map(), statement, found);
      return;
    }
    const bound = this.bind(new Map(), statement.parameters ?? [], "parameter", statement, found);
    for (const symbol of bound.values()) this.arguments.add(symbol);
    this.readTree(statement.body, bound, statement, found);
  }

  private readTree(root: Argument, outer: Bound, statement: Statement, found: Occurrence[]): void {
    const open: Visit[] = [{ tree: root, bound: outer, reading: "value", statement }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { tree, bound } = next;
      if (tree.kind === "reference") this.readReference(tree, next, found);
      for (const word of wordsOf(tree)) this.readWord(word, next, found);
      for (const size of sizesOf(tree)) this.readSize(size, next, found);
      const kind = tree.kind === "lambda" ? "parameter" : "index";
      for (const [at, part] of [...partsOf(tree).entries()].toReversed()) {
        const inner = part.binds.length === 0 ? bound : this.bind(bound, part.binds, kind, statement, found);
        open.push({ tree: part.tree, bound: inner, reading: this.readingOf(next, at), statement });
      }
    }
  }

  /** What a bare word is that is a part of a tree. */
  private readingOf({ tree, reading }: Visit, at: number): WordReading {
    if (tree.kind === "named") return reading;
    if (tree.kind !== "reference") return "value";
    const { text } = tree.name;
    const own = this.program.get(text);
    const isOwn = own !== undefined && isCalled(own);
    // What a feature is of is a word of its own.
    if (this.findings.hasType(tree) || !(isOwn || this.findings.isFunction(text))) return "read";
    return !isOwn && isTensorArgument(text, at) ? "value" : "unread";
  }

  private readReference(tree: Reference, { bound, reading, statement }: Visit, found: Occurrence[]): void {
    const isPlain = tree.arguments === undefined && tree.outputs.length === 0;
    const isOpen = isPlain && tree.grouped === undefined && !this.findings.hasType(tree);
    const isWord = isOpen && reading === "read";
    const local = isPlain ? bound.get(tree.name.text) : undefined;
    if (local !== undefined && (!isWord || this.arguments.has(local)))
      return void found.push({ symbol: local, span: tree.name.span, statement });
    if (isWord) return void this.freeWords.push({ text: tree.name.text, statement });
    const called = this.program.get(tree.name.text);
    if (called !== undefined && (isPlain || isCalled(called) || tree.arguments?.length === 0)) {
      const isUncertain = isOpen && reading === "unread";
      return void found.push({ symbol: called, span: tree.name.span, statement, isUncertain });
    }
    const feature = isPlain ? undefined : this.feature(tree);
    if (feature !== undefined) found.push({ symbol: feature, span: tree.span, statement });
    else this.freeWords.push({ text: tree.name.text, statement });
  }

  /** A dimension or a cell type: what a parameter of the function stands for, or a word of its own. */
  private readWord({ text, span }: Word, { bound, statement }: Visit, found: Occurrence[]): void {
    const symbol = bound.get(text);
    if (symbol !== undefined && this.arguments.has(symbol)) found.push({ symbol, span, statement });
    else this.freeWords.push({ text, statement });
  }

  /** A size: a number, what a parameter of the function stands for, or a value of the program. */
  private readSize({ text, span }: Word, { bound, statement }: Visit, found: Occurrence[]): void {
    const local = bound.get(text);
    const symbol = local !== undefined && this.arguments.has(local) ? local : this.program.get(text);
    if (symbol !== undefined) found.push({ symbol, span, statement });
  }

  /**
   * The names of an outer scope and those that are bound within it, whose definitions are occurrences. A generator over a dimension
   * that is a parameter of the function has its index under that name.
   */
  private bind(
    outer: Bound,
    words: readonly Word[],
    kind: "parameter" | "index",
    statement: Statement,
    found: Occurrence[],
  ): Bound {
    const inner = new Map(outer);
    for (const { text, span } of words) {
      const around = kind === "index" ? outer.get(text) : undefined;
      const isArgument = around !== undefined && this.arguments.has(around);
      const symbol = isArgument ? around : { name: text, kind, span, statement };
      inner.set(text, symbol);
      found.push({ symbol, span, statement });
    }
    return inner;
  }

  private feature(tree: Reference): NamedSymbol | undefined {
    const name = featureName(tree);
    return this.program.get(name) ?? this.program.get(constantName(name));
  }
}

const isCalled = ({ kind }: NamedSymbol): boolean => kind === "function" || kind === "model";

/** The name of a constant that a feature is: `w` of `constant(w)`; any other name is itself. */
export const constantName = (feature: string): string => /^constant\((.*)\)$/.exec(feature)?.[1] ?? feature;

/** The canonical name that a statement defines. */
export const nameOf = (statement: NamingStatement): string =>
  statement.kind === "declaration" ? featureName(statement.name) : statement.name.text;

function kindOf(statement: NamingStatement): SymbolKind {
  if (statement.kind === "declaration") return statement.role;
  if (statement.kind === "model") return "model";
  return statement.parameters === undefined ? "value" : "function";
}
