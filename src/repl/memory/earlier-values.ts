import type { Explanation, NotFinite, Why } from "../../index.js";
import { last } from "./last-result.js";
import type { SessionValues } from "./values.js";

/**
 * What is told about definitions that read earlier values. In `total = total + 1` the earlier one has a name of its own, `_earlier_1`,
 * which nobody has typed: it is shown as it was entered, and told from the present one by what is said beside it.
 */
export class EarlierValues {
  constructor(private readonly values: SessionValues) {}

  why(found: Why): Why {
    return { ...found, steps: found.steps.map((each) => this.asEntered(each)) };
  }

  explanation(found: Explanation): Explanation {
    return { ...found, nodes: found.nodes.map((each) => this.asEntered(each)) };
  }

  notFinite({ arises, sources }: NotFinite): NotFinite {
    return {
      arises: arises && { cell: this.asEntered(arises.cell), why: this.why(arises.why) },
      sources: sources.map((each) => ({ ...each, cell: this.asEntered(each.cell) })),
    };
  }

  /** A text with the names that it was entered with. */
  text(text: string): string {
    return text.replace(
      /(?<![\w@$])_earlier_\d+(?![\w@$])/g,
      (name) => this.values.get(name)?.enteredAs ?? name,
    );
  }

  private asEntered<Step extends { readonly text: string; readonly description: string }>(step: Step): Step {
    const input = /^input (_earlier_\d+)$/.exec(step.description)?.[1];
    const entered = input === undefined ? undefined : this.values.get(input)?.enteredAs;
    const text = this.text(step.text);
    if (entered === undefined) return { ...step, text };
    return { ...step, text, description: entered === last ? "an earlier result" : `${entered} as it was` };
  }
}
