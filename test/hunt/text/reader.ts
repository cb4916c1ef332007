import { LiteralReader } from "./literal-reader.js";
import { refuse } from "./refusal.js";
import type { Argument, Case, Expression, Selection, Statement, WrittenLambda } from "./syntax.js";

/** The six levels of the operators, the loosest first. */
export const levels: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["<", "<=", ">", ">=", "==", "!=", "~=", "in"],
  ["+", "-"],
  ["*", "/", "%"],
  ["^"],
];
const levelOf = (operator: string): number => levels.findIndex((each) => each.includes(operator));

const roles: readonly string[] = ["input", "constant", "variable", "persistent"];
/** Functions whose arguments are dimensions with sizes. */
const makers: readonly string[] = ["range", "diag", "random"];

/** Reads a program by recursive descent. */
export class Reader extends LiteralReader {
  /** Statements end with `;`: newlines do not end any. */
  program(): readonly Statement[] {
    const statements: Statement[] = [];
    while (!this.is("end")) {
      if (this.passes(";")) continue;
      statements.push(this.statement());
      if (!this.is("end")) this.pass(";");
    }
    return statements;
  }

  private statement(): Statement {
    const none = { name: "", parameters: undefined, type: undefined };
    if (roles.includes(this.ahead().text) && this.is("name") && this.is("name", 1)) return this.role();
    if (this.is("name") && this.isMark("=", 1)) {
      const name = this.take("name");
      this.pass("=");
      return { ...none, kind: "definition", name, value: this.expression() };
    }
    const parameters = this.is("name") && this.isMark("(", 1) ? this.namesAhead(2) : undefined;
    // name ( a , b ) =
    const length = 2 + 2 * (parameters?.length ?? 0);
    if (parameters !== undefined && this.isMark("=", length)) {
      const name = this.take("name");
      this.place += length;
      return { ...none, kind: "definition", name, parameters, value: this.expression() };
    }
    return { ...none, kind: "result", value: this.expression() };
  }

  private role(): Statement {
    this.take("name");
    const name = this.take("name");
    const hasType = this.passes(":");
    if (hasType) this.passWord("tensor");
    const type = hasType ? this.type() : undefined;
    const value = this.passes("=") ? this.expression() : undefined;
    return { kind: "role", name, parameters: undefined, type, value };
  }

  /** An expression of operators of this level and of tighter ones. */
  protected expression(level = 0): Expression {
    let left = this.prefixed();
    for (;;) {
      const operator = this.ahead().text;
      const isIn = this.isName("in") && this.isMark("[", 1);
      const own = isIn || this.is("mark") ? levelOf(operator) : -1;
      if (own < level) return left;
      this.place++;
      if (isIn) left = { kind: "membership", operand: left, items: this.items() };
      else {
        // Only ^ groups to the right.
        const right = this.expression(operator === "^" ? own : own + 1);
        left = { kind: "infix", operator, left, right };
      }
    }
  }

  private items(): readonly Expression[] {
    this.pass("[");
    const items = this.isMark("]") ? [] : this.list(() => this.expression());
    this.pass("]");
    return items;
  }

  /** Prefixes bind tighter than any operator, and slices tighter than prefixes. */
  protected prefixed(): Expression {
    if (this.passes("!")) return { kind: "prefix", operator: "!", operand: this.prefixed() };
    if (this.passes("-")) return { kind: "prefix", operator: "-", operand: this.prefixed() };
    let tensor = this.primary();
    for (;;) {
      if (this.passes("[")) {
        const at = this.expression();
        this.pass("]");
        tensor = { kind: "slice", tensor, selections: [{ dimension: undefined, isMapped: false, at }] };
      } else if (this.passes("{")) {
        const isNamed = this.is("name") && this.isMark(":", 1);
        const selections = isNamed ? this.list(() => this.selection()) : [this.shortSelection()];
        this.pass("}");
        tensor = { kind: "slice", tensor, selections };
      } else return tensor;
    }
  }

  private selection(): Selection {
    const dimension = this.take("name");
    this.pass(":");
    return { ...this.shortSelection(), dimension };
  }

  /** A word or a string alone is a label; all else is computed. */
  private shortSelection(): Selection {
    const isAlone = this.isMark(",", 1) || this.isMark("}", 1);
    const isLabel = isAlone && (this.is("name") || this.is("string"));
    const at = isLabel ? this.label() : this.expression();
    return { dimension: undefined, isMapped: isLabel, at };
  }

  private primary(): Expression {
    const { kind, text } = this.ahead();
    if (kind === "number") {
      this.place++;
      return { kind: "number", value: Number(text.replace(/[fFdD]$/, "")), text };
    }
    if (kind === "string") return { kind: "string", text: this.take("string") };
    if (this.passes("(")) {
      const inner = this.expression();
      this.pass(")");
      return { kind: "parentheses", inner };
    }
    if (kind !== "name") refuse(`no expression begins with ${text}`);
    if (text === "tensor" && this.isTypeAhead()) return this.tensor();
    if (makers.includes(text) && this.isTypeAhead() && !this.isMark(")", 2)) {
      this.place++;
      return { kind: "indexes", function: text, type: this.type() };
    }
    if (text === "switch" && this.isMark("(", 1)) return this.choice();
    this.place++;
    if (!this.passes("(")) return { kind: "name", name: text };
    const all = this.isMark(")") ? [] : this.list(() => this.argument());
    this.pass(")");
    return { kind: "call", name: text, arguments: all };
  }

  private tensor(): Expression {
    this.passWord("tensor");
    const type = this.type();
    if (this.passes("(")) {
      const body = this.expression();
      this.pass(")");
      return { kind: "generate", type, body };
    }
    this.pass(":");
    return { kind: "literal", type, body: this.literal() };
  }

  private choice(): Expression {
    this.passWord("switch");
    this.pass("(");
    const on = this.expression();
    this.pass(")");
    this.pass("{");
    const cases: Case[] = [];
    while (this.isName("case")) {
      this.place++;
      const value = this.expression();
      this.pass(":");
      cases.push({ value, result: this.expression() });
      this.pass(",");
    }
    this.passWord("default");
    this.pass(":");
    const otherwise = this.expression();
    this.pass("}");
    return { kind: "switch", on, cases, otherwise };
  }

  private argument(): Argument {
    const lambda = this.isName("f") && this.isMark("(", 1) ? this.lambda() : undefined;
    if (lambda !== undefined) return lambda;
    const names = this.isMark("(") ? this.namesAhead(1) : undefined;
    const length = 1 + 2 * (names?.length ?? 0);
    const isLast = this.isMark(",", length) || this.isMark(")", length);
    if (names === undefined || names.length < 2 || !isLast) return this.expression();
    this.place += length;
    return { names };
  }

  /** A lambda, where its parameters are followed by a body. */
  private lambda(): WrittenLambda | undefined {
    const parameters = this.namesAhead(2);
    const length = 2 + 2 * (parameters?.length ?? 0);
    if (parameters === undefined || !this.isMark("(", length)) return undefined;
    this.place += length + 1;
    const body = this.expression();
    this.pass(")");
    return { parameters, body };
  }
}
