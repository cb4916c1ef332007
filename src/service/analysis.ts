import type { FunctionDescription } from "../language/check/descriptions/function-descriptions.js";
import type { CheckedProgram } from "../language/check/statements/program.js";
import type { Problem } from "../language/source/problem.js";
import { type Source, type Span, textIn } from "../language/source/span.js";
import { partsOf, rootOf } from "../language/syntax/parts.js";
import type { Argument, ProgramTree, Statement } from "../language/syntax/tree.js";
import type { TensorType } from "../language/types/type.js";
import { checkObserved, type ProgramWords, type TextForm } from "../program/compile.js";
import type { Options } from "../program/options.js";
import { describedFunctions } from "../program/texts/host-functions.js";
import { SymbolTable } from "./symbols.js";

/** The type of an expression; of one in a function, that of the first call that reaches it. */
export interface FoundType {
  readonly type: TensorType;
  /** The call in the program's own text for which a function's body has this type. */
  readonly call: Span | undefined;
}

/** One look at one text: all that is read and found of it, at the cost of checking it. */
export class Analysis {
  readonly tree: ProgramTree;
  readonly checked: CheckedProgram;
  readonly symbols: SymbolTable;
  /** The words that it was read from; undefined of one expression. */
  readonly words: ProgramWords | undefined;
  /** The functions that a text may call beside its own, by name: those of the language, and of the host. */
  readonly functions: ReadonlyMap<string, FunctionDescription>;
  private readonly types = new Map<Argument, FoundType>();

  constructor(
    readonly source: Source,
    private readonly options: Options = {},
    private readonly form: TextForm = "program",
  ) {
    const observe = (expression: Argument, type: TensorType, call: Span | undefined): void => {
      if (expression.span.source === source && !this.types.has(expression))
        this.types.set(expression, { type, call });
    };
    const { tree, checked, words } = checkObserved(source, options, observe, form);
    this.functions = describedFunctions(options);
    this.tree = tree;
    this.words = words;
    this.checked = checked;
    this.symbols = new SymbolTable(tree, {
      hasType: (each) => this.types.has(each),
      isFunction: (name) => this.functions.has(name),
    });
  }

  /** What is found of another text in place of this one, where the inputs of the host may have other names. */
  ofText(text: string, nameAfter?: (name: string) => string): Analysis {
    const renamed = Object.entries(this.options.inputs ?? {}).map(([name, type]) => [
      nameAfter?.(name) ?? name,
      type,
    ]);
    const options = { ...this.options, inputs: Object.fromEntries(renamed) };
    return new Analysis({ ...this.source, text }, options, this.form);
  }

  get problems(): readonly Problem[] {
    return this.checked.problems;
  }

  /** The type of an expression of this analysis's own tree; undefined where it has a mistake or nothing calls it. */
  typeOf(expression: Argument): FoundType | undefined {
    return this.types.get(expression);
  }

  /** Whether a type that the checker found has a dimension of this name. */
  hasDimension(name: string): boolean {
    for (const { type } of this.types.values()) if (type.names.includes(name)) return true;
    return [...this.checked.declared.values()].some(({ type }) => type.names.includes(name));
  }

  /** The type of a name of the program: declared, or that of its value. */
  typeNamed(name: string): TensorType | undefined {
    return this.checked.declared.get(name)?.type ?? this.checked.values.get(name)?.type;
  }

  /** The type that an expression would have behind this text; undefined where it has a mistake. */
  typeOfText(expression: string): TensorType | undefined {
    const before = this.tree.statements.map(({ span }) => `${textIn(span)};\n`).join("");
    const { checked, tree } = new Analysis(
      { ...this.source, text: `${before}(${expression})` },
      this.options,
      this.form,
    );
    const { span } = tree.statements.at(-1) ?? {};
    return checked.results.find((each) => each.span.start === before.length && each.span === span)?.node.type;
  }

  statementAt(offset: number): Statement | undefined {
    return this.tree.statements.find(({ span }) => span.start <= offset && offset <= span.end);
  }

  /** The expressions that an offset is in, from the outermost. */
  expressionsAt(offset: number): readonly Argument[] {
    const statement = this.statementAt(offset);
    const found: Argument[] = [];
    let within: Argument | undefined = statement && rootOf(statement);
    while (within !== undefined && holds(within.span, offset)) {
      found.push(within);
      within = partsOf(within).find(({ tree }) => holds(tree.span, offset))?.tree;
    }
    return found;
  }
}

/** Whether a cursor at an offset is in a span, or at its end. */
export const holds = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;
