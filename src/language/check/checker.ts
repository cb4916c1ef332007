import type { Graph } from "../core/graph.js";
import type { HostOperation, Node } from "../core/operations.js";
import type { Substitution } from "../core/rebuild.js";
import { areSame, type Sizes } from "../core/run-sizes.js";
import type { Spend, Store } from "../limits/spend.js";
import { Suggestions } from "../source/nearest.js";
import type { Problem, RelatedSpan, Report } from "../source/problem.js";
import type { Source, Span } from "../source/span.js";
import type { RepeatedCells } from "../syntax/literal-layout.js";
import type { Argument, Expression, LambdaTree, Reference, Word } from "../syntax/tree.js";
import { sizeOf, type WordResolver } from "../syntax/typing.js";
import type { TypeReporter } from "../types/algebra.js";
import { problem as typeProblem } from "../types/messages.js";
import type { TensorType } from "../types/type.js";
import type { LiftedLambda } from "./calls/lambda-lifting.js";
import { Deferral } from "./deferral.js";
import { type Deployment, isReplacedName, isWrittenAnew } from "./deployment/deployment.js";
import type { Dialect } from "./dialect.js";
import type { ScalarPart } from "./messages/types.js";
import { problem } from "./messages.js";
import { bareWord, type FeatureMap, type Names } from "./names.js";
import type { Binding, Frame, Origin, Scope } from "./scope.js";
import { SharedExpansions } from "./shared-expansions.js";
import { StandIns } from "./stand-ins.js";
import { WaitingValues } from "./waiting.js";

/** What an expression may refer to besides the names of its scope, and the limits of checking. */
export interface CheckContext {
  readonly dialect: Dialect;
  /** What becomes of a cell that a literal writes twice; refused by default. */
  readonly repeatedCells?: RepeatedCells | undefined;
  /** Of a rank profile: what Vespa makes of its expressions. */
  readonly deployment?: Deployment | undefined;
  /** The declared inputs by canonical feature name. */
  readonly inputs: FeatureMap<TensorType>;
  readonly names: Names;
  /** Functions of the host, by name. */
  readonly functions: ReadonlyMap<string, HostOperation>;
  /** The types of features without a declaration, from the host. It reports what is wrong with one itself. */
  readonly features?: FeatureResolver;
  /** How many cells a literal may have. */
  readonly cells: number;
  /** How many calls of functions a program may expand to. */
  readonly expansions: number;
  readonly spend?: Spend | undefined;
  readonly observe?: TypeObserver | undefined;
  readonly store?: Store | undefined;
  /** The types of inputs with the sizes that they have in a run, where the program is for inputs of these. */
  readonly runTypes?: ReadonlyMap<string, TensorType> | undefined;
}

/**
 * Takes the type of each expression that has one. Of an expression in a function, once for each call that is expanded: `call`
 * is the one in the program's own text.
 */
export type TypeObserver = (tree: Expression, type: TensorType, call: Span | undefined) => void;

/**
 * The type of a feature, whose parameters were replaced by what the caller wrote, or its value; `untyped` where it has none or a problem
 * of it was reported; undefined where the reference may be something else.
 */
export type FeatureResolver = (
  checker: Checker,
  feature: Reference,
  scope: Scope,
) => TensorType | Node | "untyped" | undefined;

/** A type of no more dimensions is no work of its own. */
const fewDimensions = 16;

/** A rule of elaboration for each form of expression; `rules.ts` has them all. */
export type Rules = {
  readonly [Kind in Expression["kind"]]: (
    checker: Checker,
    tree: Extract<Expression, { kind: Kind }>,
    scope: Scope,
  ) => Node | undefined;
};

/** An argument in the scope of the text that it is written in. */
interface WrittenArgument {
  readonly argument: Argument;
  readonly scope: Scope;
  readonly passed: readonly Extract<Binding, { kind: "argument" }>[];
}

/**
 * Elaborates expressions into nodes of a graph, and collects every problem on the way. An expression with a mistake has no
 * node: `undefined`, and the mistake has been reported.
 */
export class Checker {
  readonly problems: Problem[] = [];
  private readonly reported = new Set<string>();
  readonly expansions = new SharedExpansions({
    written: (argument, scope) =>
      isReplacedName(this, argument, scope) ? { argument, scope } : this.written(argument, scope),
    value: (argument, scope) => this.withSite(scope, () => this.node(argument, scope)),
  });
  readonly standIns: StandIns;
  /** The models of the program: of each the value of an output, for the arguments of a call. */
  readonly models = new Map<string, (tree: Reference, scope: Scope) => Node | undefined>();
  /** The texts of models, whose warnings concern nobody here. */
  readonly imported = new Set<Source>();
  /** What is a part of the row of a looser chain, and what is already as engines get it (`deployment/chains.ts`). */
  readonly rows = new WeakMap<Expression, "part" | "deployed">();
  readonly waiting: WaitingValues;
  readonly deferral: Deferral;
  /** The names of functions that need themselves, where they are defined, each with the place that tells it. */
  readonly cyclic = new Map<Span, Span>();
  private expansionsLeft: number;
  private readonly suggestions = new Suggestions();

  constructor(
    readonly graph: Graph,
    readonly context: CheckContext,
    private readonly rules: Rules,
  ) {
    this.deferral = new Deferral(graph);
    this.standIns = new StandIns(graph);
    this.waiting = new WaitingValues(graph);
    this.expansionsLeft = context.expansions;
  }

  get isVespa(): boolean {
    return this.context.dialect === "vespa";
  }

  /** The node of an expression. */
  node(tree: Expression, scope: Scope): Node | undefined {
    const { spend, observe } = this.context;
    const span = scope.origin === undefined ? tree.span : (this.graph.site?.outermost ?? tree.span);
    spend?.(1, span);
    // The rule under a tree's own kind takes that tree; TypeScript cannot see this of a union.
    const rule = this.rules[tree.kind] as (
      checker: Checker,
      tree: Expression,
      scope: Scope,
    ) => Node | undefined;
    return this.deferral.node(tree, scope, () => {
      const node = rule(this, tree, scope);
      if (node === undefined) return undefined;
      observe?.(tree, node.type, scope.origin?.site.outermost);
      // A type of thousands of dimensions is as much work as so many nodes.
      if (node.type.rank > fewDimensions) spend?.(node.type.rank, span);
      return node;
    });
  }

  /** Builds nodes whose span is the call that is being expanded, if there is one. */
  withSite<T>(scope: Scope, build: () => T): T {
    const { site } = this.graph;
    this.graph.site = scope.origin?.site;
    try {
      return build();
    } finally {
      this.graph.site = site;
    }
  }

  /** The node of an expression that must be a scalar. */
  scalar(tree: Expression, scope: Scope, part: ScalarPart): Node | undefined {
    const node = this.node(tree, scope);
    if (node === undefined || node.type.isScalar) return node;
    this.report(scope)(problem("type/not-scalar", tree.span, { part, type: node.type }));
    return undefined;
  }

  /** A lambda on parameters of these types, used in a frame; `result` is what its body must be. */
  lambda(
    tree: LambdaTree,
    types: readonly TensorType[],
    scope: Scope,
    user: Frame,
    result: "scalar" | "tensor",
    sizes?: Sizes,
  ): LiftedLambda | undefined {
    if (tree.parameters.length !== types.length) {
      const [found, expected] = [tree.parameters.length, types.length];
      this.report(scope)(problem("call/lambda-arity", tree.span, { found, expected }));
      return undefined;
    }
    const open = (): Scope => scope.lambda(user, types.length, sizes);
    const before = this.deferral.binder(tree, scope, types, open);
    // A lambda that a function hands on may be used in several places.
    const isSame = before.frame.user === user && areSame(before.frame.sizes, sizes);
    const inner = isSame ? before : open();
    const names = new Set<string>();
    for (const [position, { text, span }] of tree.parameters.entries()) {
      if (names.has(text)) this.report(scope)(problem("call/parameter", span, { name: text }));
      names.add(text);
      const type = types[position];
      if (type === undefined) continue;
      inner.bind(text, {
        kind: "node",
        node: this.graph.parameter(1, position, type, span),
        frame: inner.frame,
      });
    }
    const body = result === "scalar" ? this.scalar(tree.body, inner, "lambda") : this.node(tree.body, inner);
    const { captured } = inner.frame;
    return (
      body && {
        parameters: [...types, ...captured.map(({ outer }) => outer.type)],
        names: [...tree.parameters.map(({ text }) => text), ...captured.map(({ name }) => name)],
        body: this.resolved(body), // from outside, nothing in it is seen
        captured: captured.map(({ outer }) => outer),
      }
    );
  }

  /** An argument as the caller of the function wrote it, where it is a parameter; its text becomes part of the function's. */
  resolve(argument: Argument, scope: Scope): WrittenArgument {
    const written = this.written(argument, scope);
    if (bareWord(written.argument) === undefined) for (const each of written.passed) each.isText = true;
    return written;
  }

  /** An argument as the caller of the function wrote it, and the parameters that it was passed on by. */
  written(argument: Argument, scope: Scope): WrittenArgument {
    let [current, from] = [argument, scope];
    const passed: WrittenArgument["passed"][number][] = [];
    for (
      let word = bareWord(current);
      word !== undefined && current.kind === "reference";
      word = bareWord(current)
    ) {
      const binding = from.find(word.text);
      if (binding?.kind === "node" && binding.dimension !== undefined) {
        const { dimension } = binding;
        return {
          argument: { kind: "reference", name: dimension, outputs: [], span: dimension.span },
          scope: from,
          passed,
        };
      }
      if (binding?.kind !== "argument") break;
      passed.push(binding);
      [current, from] = [binding.argument, binding.scope];
    }
    return { argument: current, scope: from, passed };
  }

  /** The name of a dimension, or the one that the caller gave where it is a parameter. */
  word(word: Word, scope: Scope): Word {
    const tree: Expression = { kind: "reference", name: word, outputs: [], span: word.span };
    const resolved = this.resolve(tree, scope);
    const name = bareWord(resolved.argument);
    if (name !== undefined && resolved.argument.kind !== "number") return name;
    const values = { expected: "dimension", found: "other" } as const;
    this.report(resolved.scope)(problem("call/argument", resolved.argument.span, values));
    return word;
  }

  /**
   * The name of a dimension of a type or a slice. In a rank profile it is what is written: Vespa puts arguments in for the parameters of
   * a function only where these are arguments themselves.
   */
  dimensionName(word: Word, scope: Scope): Word {
    return isWrittenAnew(this, scope) ? word : this.word(word, scope);
  }

  /** Resolves the words of a type here. */
  words(scope: Scope): WordResolver {
    return {
      name: (word) => this.dimensionName(word, scope),
      size: (word) => sizeOf(word.text) ?? this.size(word, scope),
    };
  }

  /** A size that is a name: a parameter, or a value that is a constant whole number. */
  private size(word: Word, scope: Scope): number | undefined {
    const resolved = this.resolve({ kind: "reference", name: word, outputs: [], span: word.span }, scope);
    if (resolved.argument.kind === "number") return sizeOf(resolved.argument.text);
    const name = bareWord(resolved.argument);
    const defined = name === undefined ? undefined : this.context.names.own(name.text);
    const node = defined?.kind === "value" ? defined.node() : undefined;
    const value = node && this.standIns.valueOf(node);
    return value?.op === "constant" && value.type.isScalar ? sizeOf(`${value.value.at(0)}`) : undefined;
  }

  /**
   * Takes the problems of a scope. A problem inside an expansion points at the call in the program's own text, and is
   * related to the span in the definition. Warnings about the prelude itself are left out.
   */
  report(scope: Scope): Report {
    return (found) => {
      const { origin } = scope;
      const { severity } = found;
      const isOfPrelude = origin?.inPrelude === true && found.span.source.name === "prelude";
      if (isOfPrelude && severity === "warning") return;
      if (!found.isError && this.imported.has(found.span.source)) return;
      if (origin !== undefined && this.hasAtDefinition(found, origin)) return;
      const shown = origin === undefined ? found : inExpansion(found, origin);
      const key = keyOf(shown);
      if (this.reported.has(key)) return;
      this.reported.add(key);
      const isStrict = severity === "portability" && this.isVespa;
      this.problems.push(isStrict ? shown.withSeverity("error") : shown);
    };
  }

  /** Whether a problem of a function's body was reported where it is defined; then the call becomes a note of that. */
  private hasAtDefinition(found: Problem, origin: Origin): boolean {
    const { code, span } = found;
    if (isOutermost(origin, span) || !this.reported.has(keyOf(found))) return false;
    return this.noteCall(code, span, origin.site.outermost);
  }

  /** Makes a call a note of the problem of a code at a definition; returns whether there is one. */
  noteCall(code: Problem["code"], span: Span, call: Span): boolean {
    const at = this.problems.findIndex(
      (each) => each.code === code && each.span.start === span.start && each.span.source === span.source,
    );
    const existing = this.problems[at];
    if (existing === undefined) return false;
    const isNew = existing.related.every((each) => each.span.start !== call.start);
    if (isNew && existing.related.length < mostCalls)
      this.problems[at] = existing.at(existing.span, [
        ...existing.related,
        { span: call, label: "called here" },
      ]);
    return true;
  }

  /** As `report`, for the rules of the type algebra at one span; `failed` once one of them has reported an error. */
  typeReporter(
    scope: Scope,
    span: Span,
    related?: readonly RelatedSpan[],
  ): TypeReporter & { failed: boolean } {
    const reporter = Object.assign(
      ((code, values) => {
        const found: Problem = typeProblem(code, span, values, related);
        if (found.isError) reporter.failed = true;
        this.report(scope)(found);
      }) as TypeReporter, // whose code and values belong together, which a closure cannot say
      { failed: false },
    );
    return reporter;
  }

  /** A dimension that a tensor must have, by a resolved word; otherwise a problem with the nearest of those it has. */
  dimension(word: Word, type: TensorType, scope: Scope): string | undefined {
    if (type.dimension(word.text) !== undefined) return word.text;
    const values = { dimension: word.text, type, nearest: this.guess(word.text, () => type.names) };
    this.report(scope)(problem("type/unknown-dimension", word.span, values));
    return undefined;
  }

  /** The nearest of the candidates, for the first problems that ask for one. */
  guess(name: string, candidates: () => Iterable<string>): string | undefined {
    return this.suggestions.nearest(name, candidates);
  }

  /** Values instead of what stands for them. */
  get resolved(): Substitution {
    return this.standIns.resolved;
  }

  /** Counts a call that is expanded, and returns whether the limit allows it. */
  countExpansion(): boolean {
    return this.expansionsLeft-- > 0;
  }
}

/** Of a function with a mistake so many calls are shown. */
const mostCalls = 3;

/**
 * A problem in an expansion as one of the call that it comes from, unless it is about what the caller wrote; a name that a function
 * of the program has wrong is so in each call, and is shown there.
 */
function inExpansion(problem: Problem, origin: Origin): Problem {
  const { span } = problem;
  if (isOutermost(origin, span)) return problem;
  const call = origin.site.outermost;
  if (isUnknownName(problem) && !origin.inPrelude && span.source === call.source)
    return problem.at(span, [{ span: call, label: "called here" }]);
  return problem.at(call, [{ span, label: `in the definition of ${origin.name}`, isDefinition: true }]);
}

const isUnknownName = ({ code }: Problem): boolean =>
  code === "name/unknown" || code === "name/unknown-function";

/** Problems with equal keys are reported once: those of one code at one span, and all of one unknown name. */
function keyOf({ code, values, span }: Problem): string {
  if (code === "name/unknown" || code === "name/unknown-function") return `${code} ${values.name}`;
  return `${code} ${span.source.name} ${span.start} ${span.end}`;
}

/** Whether a span is inside the call: the caller wrote it, although it is checked inside the expansion. */
function isOutermost(origin: { readonly inPrelude: boolean; readonly call: Span }, span: Span): boolean {
  return span.source === origin.call.source && origin.call.start <= span.start && span.end <= origin.call.end;
}
