import {
  canonicalName,
  compileExpression,
  type Explanation,
  type Options,
  type Program,
  type Tensor,
} from "../../index.js";

/**
 * Values by name, and expressions evaluated on them: what the playground and `vespa-eval-expr` do. A name may be any
 * text; one that no expression can mention is kept for nothing. Types are those of the values.
 */
export class Variables {
  private readonly tensors = new Map<string, Tensor>();

  /** Fresh options for each expression: the sequence of `random` begins anew. */
  constructor(private readonly options: () => Options) {}

  /** In the order in which the names first came. */
  get entries(): readonly (readonly [string, Tensor])[] {
    return [...this.tensors];
  }

  /** Whether the name had a value before. */
  set(name: string, tensor: Tensor): boolean {
    const key = canonicalName(name);
    const isOld = this.tensors.has(key);
    this.tensors.set(key, tensor);
    return isOld;
  }

  delete(name: string): boolean {
    return this.tensors.delete(canonicalName(name));
  }

  /** Other work goes on meanwhile; an aborted signal ends it. @throws SphexError as `evaluate` does. */
  async evaluate(expression: string, how: Partial<Options> = {}, signal?: AbortSignal): Promise<Tensor> {
    const { program, inputs } = this.prepared(expression, how);
    return await program.runAsync(inputs, signal === undefined ? {} : { signal });
  }

  /** How the value of an expression comes about. */
  explain(expression: string, how: Partial<Options> = {}): Explanation {
    const { program, inputs } = this.prepared(expression, how);
    return program.explain(inputs);
  }

  /** An expression as one of the core functions alone. */
  primitive(expression: string, how: Partial<Options> = {}): string {
    return this.prepared(expression, how).program.primitive();
  }

  private prepared(
    text: string,
    how: Partial<Options>,
  ): { program: Program; inputs: Record<string, Tensor> } {
    const words = new Set(text.match(/\w+/g));
    // A name with a word that the text lacks is not in it.
    const mentioned = this.entries.filter(([name]) =>
      (name.match(/\w+/g) ?? []).every((each) => words.has(each)),
    );
    const inputs = Object.fromEntries(mentioned);
    const types = Object.fromEntries(mentioned.map(([name, { type }]) => [name, type]));
    const program = compileExpression(text, { ...this.options(), ...how, inputs: types });
    return { program, inputs };
  }
}
