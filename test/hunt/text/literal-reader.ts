import { Cursor } from "./cursor.js";
import type { Expression, LiteralBody, LiteralCell } from "./syntax.js";

/** Reads what a literal says after its type and a colon. */
export abstract class LiteralReader extends Cursor {
  protected abstract expression(): Expression;
  protected abstract prefixed(): Expression;

  protected literal(): LiteralBody {
    if (this.isMark("[")) return this.block();
    if (!this.passes("{")) return oneCell(this.prefixed());
    if (this.passes("}")) return { kind: "cells", cells: [] };
    if (this.isMark("{")) {
      const cells = this.list(() => this.cell());
      this.pass("}");
      return { kind: "cells", cells };
    }
    if (this.isMark("[")) {
      const block = this.block();
      this.pass("}");
      return block;
    }
    if (this.isLabelAhead()) return this.labels();
    const one = oneCell(this.expression());
    this.pass("}");
    return one;
  }

  private isLabelAhead(): boolean {
    if (this.isMark("-")) return this.is("number", 1) && this.isMark(":", 2);
    return this.isMark(":", 1);
  }

  /** `{x:a, y:0}:1` */
  private cell(): LiteralCell {
    this.pass("{");
    const address = this.isMark("}")
      ? []
      : this.list((): [string, string] => {
          const dimension = this.take("name");
          this.pass(":");
          return [dimension, this.label()];
        });
    this.pass("}");
    this.pass(":");
    return { address, value: this.expression() };
  }

  /** What stands at each label, up to the bracket that closes them. */
  private labels(): LiteralBody {
    const entries = this.list((): [string, LiteralBody] => {
      const label = this.label();
      this.pass(":");
      if (this.isMark("[")) return [label, this.block()];
      if (this.passes("{")) return [label, this.labels()];
      return [label, oneCell(this.expression())];
    });
    this.pass("}");
    return { kind: "labels", entries };
  }

  private block(): LiteralBody {
    return { kind: "block", cells: this.nested() };
  }

  private nested(): readonly Expression[] {
    this.pass("[");
    const cells = this.list(() => (this.isMark("[") ? this.nested() : [this.expression()]));
    this.pass("]");
    return cells.flat();
  }
}

const oneCell = (value: Expression): LiteralBody => ({ kind: "cells", cells: [{ address: [], value }] });
