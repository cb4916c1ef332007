import type { Evaluation } from "../../backends/reference/evaluation.js";
import type { Node } from "../../language/core/operations.js";
import type { Slices } from "../../language/limits/slices.js";
import type { Address } from "../../language/values/address.js";
import { addressOf } from "./address.js";
import { type Explanation, explanation, type Root } from "./explain.js";
import { type NotFinite, notFinite } from "./not-finite.js";
import { type DefaultOf, Scope } from "./scope.js";
import type { Trace } from "./trace.js";
import { type ValueNames, type Why, type WhyOptions, whyOf, whySlices } from "./why.js";

/** The provenance of the values of an evaluation that was traced. */
export class Provenance {
  private readonly scope: Scope;
  private readonly names: ValueNames;

  constructor(
    evaluation: Evaluation,
    private readonly trace: Trace,
    /** The named values of the program. */
    values: ReadonlyMap<string, Node>,
    defaultOf: DefaultOf,
  ) {
    this.scope = Scope.ofProgram(evaluation, defaultOf);
    this.names = namesByNode(values);
  }

  /** The milliseconds of the run, if there is a clock. */
  get time(): number | undefined {
    return this.trace.total;
  }

  explain(roots: readonly Root[], { isWarm = false } = {}): Explanation {
    return { ...explanation(roots, this.scope, this.trace), isWarm };
  }

  why(node: Node, address: Address, options: WhyOptions = {}): Why {
    return whyOf({ scope: this.scope, node, address: addressOf(node.type, address) }, options, this.names);
  }

  /** As `why`, in slices. */
  whySlices(node: Node, address: Address, options: WhyOptions = {}): Slices<Why> {
    return whySlices(
      { scope: this.scope, node, address: addressOf(node.type, address) },
      options,
      this.names,
    );
  }

  notFinite(options: WhyOptions = {}): NotFinite {
    return notFinite(this.trace.order, this.scope, options);
  }
}

function namesByNode(values: ReadonlyMap<string, Node>): ValueNames {
  const names = new Map<Node, string[]>();
  for (const [name, node] of values) {
    const ofNode = names.get(node);
    if (ofNode === undefined) names.set(node, [name]);
    else ofNode.push(name);
  }
  return names;
}
