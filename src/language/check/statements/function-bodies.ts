import { cyclesIn } from "../../source/depth-first.js";
import { partsOf, treesIn } from "../../syntax/parts.js";
import type { Argument, Definition, Reference } from "../../syntax/tree.js";
import { builtins } from "../calls/builtins.js";
import { hostBuiltin } from "../calls/host-functions.js";
import { isTensorArgument } from "../calls/tensor-arguments.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import { bareWord, type Names } from "../names.js";
import { isFeatureHead, reportUnknown } from "../rules/unknown-names.js";
import type { Scope } from "../scope.js";

/** A function that a program defines. */
export type DefinedFunction = Definition & Required<Pick<Definition, "parameters">>;

/**
 * What is wrong in the body of a function whatever it is called with, and also where nothing calls it: names and functions that
 * there are not, calls with too many arguments or too few, and a function that needs itself. The types are those of each call.
 */
export class FunctionBodies {
  constructor(
    private readonly checker: Checker,
    private readonly names: Names,
    private readonly functions: ReadonlyMap<string, DefinedFunction>,
  ) {}

  check(scopeOf: (definition: DefinedFunction) => Scope): void {
    const cyclic = this.reportCycles(scopeOf);
    // Features that only a host knows may have any name.
    if (this.checker.context.features !== undefined) return;
    for (const [name, definition] of this.functions) {
      if (cyclic.has(name)) continue;
      const scope = scopeOf(definition);
      const locals = new Set(definition.parameters.map((each) => each.text));
      new BodyReader(this.checker, this.names, scope).value(definition.body, locals);
    }
  }

  /** Reports each function that calls itself, if only through others, once a circle. */
  private reportCycles(scopeOf: (definition: DefinedFunction) => Scope): ReadonlySet<string> {
    const inCycle = new Set<string>();
    for (const names of cyclesIn(this.functions.keys(), (name) => this.callsOf(name))) {
      const definition = this.functions.get(names[0]);
      if (definition !== undefined && !names.some((each) => inCycle.has(each)))
        this.checker.report(scopeOf(definition))(
          problem("name/cycle", definition.name.span, { path: [...names, names[0]] }),
        );
      for (const each of names) {
        inCycle.add(each);
        const span = this.functions.get(each)?.name.span;
        if (span !== undefined) this.checker.cyclic.set(span, definition?.name.span ?? span);
      }
    }
    return inCycle;
  }

  /** The functions of the program that the body of one calls. */
  private callsOf(name: string): readonly string[] {
    const definition = this.functions.get(name);
    const called = new Set<string>();
    for (const tree of definition === undefined ? [] : treesIn(definition.body))
      if (tree.kind === "reference" && tree.arguments !== undefined && this.functions.has(tree.name.text))
        called.add(tree.name.text);
    return [...called];
  }
}

type Locals = ReadonlySet<string>;

const withNames = (locals: Locals, names: readonly { readonly text: string }[]): Locals =>
  names.length === 0 ? locals : new Set([...locals, ...names.map((each) => each.text)]);

/** Reads a body, with the names that have a value at each point. */
class BodyReader {
  constructor(
    private readonly checker: Checker,
    private readonly names: Names,
    private readonly scope: Scope,
  ) {}

  /** An expression where a value has to be. */
  value(tree: Argument, locals: Locals): void {
    if (tree.kind === "reference") return this.reference(tree, locals);
    for (const { tree: part, binds } of partsOf(tree)) this.value(part, withNames(locals, binds));
  }

  private reference(tree: Reference, locals: Locals): void {
    const { text } = tree.name;
    const { inputs } = this.checker.context;
    if (this.names.feature(tree)?.kind === "value" || inputs.lookup(tree) !== undefined) return;
    if (tree.arguments !== undefined) return this.call(tree, tree.arguments, locals);
    const isLocal = tree.outputs.length === 0 && (locals.has(text) || text === "true" || text === "false");
    if (isLocal || this.names.own(text)?.kind === "value" || inputs.has(`constant(${text})`)) return;
    reportUnknown(this.checker, tree, this.scope, this.names);
  }

  private call(tree: Reference, args: readonly Argument[], locals: Locals): void {
    const { text } = tree.name;
    const own = this.names.own(text);
    const composite = this.names.outer?.own(text);
    const called = own?.kind === "function" ? own : composite?.kind === "function" ? composite : undefined;
    const host = this.checker.context.functions.get(text);
    const provided = builtins.get(text) ?? (host && hostBuiltin(host));
    const builtin = called === own && own !== undefined ? undefined : provided;
    if (called === undefined && builtin === undefined) {
      // A feature of what the caller gives may be one that there is.
      const isOpen = args.some((each) => locals.has(bareWord(each)?.text ?? ""));
      if (tree.outputs.length > 0 || (isOpen && isFeatureHead(this.checker, text))) return;
      return reportUnknown(this.checker, tree, this.scope, this.names);
    }
    const { length: count } = called?.parameters ?? [];
    this.arity(tree, builtin ?? { least: count, most: count }, called?.parameters);
    for (const [at, each] of args.entries())
      this.argument(each, locals, host !== undefined || (own === undefined && isTensorArgument(text, at)));
  }

  private arity(
    tree: Reference,
    { least, most, signature }: { least: number; most: number; signature?: string },
    parameters: readonly { readonly text: string }[] = [],
  ): void {
    const found = tree.arguments?.length ?? 0;
    if (found >= least && found <= most) return;
    const name = tree.name.text;
    const written = signature ?? `${name}(${parameters.map((each) => each.text).join(", ")})`;
    const values = { name, found, least, most, signature: written };
    this.checker.report(this.scope)(problem("call/arity", tree.span, values));
  }

  private argument(argument: Argument, locals: Locals, isTensor: boolean): void {
    // A bare name may be a dimension, a cell type or an aggregator.
    if (isTensor || !isWord(argument)) this.value(argument, locals);
  }
}

const isWord = (argument: Argument): boolean =>
  argument.kind === "reference" && bareWord(argument) !== undefined;
