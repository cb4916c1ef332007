import type { IParserErrorMessageProvider, IToken } from "chevrotain";
import { type Span, through } from "../source/span.js";
import { ExpressionGrammar } from "./expressions.js";
import type { DecisionRow } from "./prepared-parser.js";
import { type Alternatives, gated, type Rule } from "./reader.js";
import { end, name, token } from "./tokens.js";
import type * as Tree from "./tree.js";

/**
 * The parser: the rules of grammar/sphex.ebnf under the same names; a test compares the two. An action only builds the
 * node of its rule. Where three tokens of lookahead do not decide between alternatives, a gate (`reader.ts`) looks further ahead.
 */
export class Grammar extends ExpressionGrammar {
  constructor(messages: IParserErrorMessageProvider, decisions?: readonly DecisionRow[]) {
    super(messages, decisions);
    this.prepare();
  }

  readonly Program: Rule<Tree.ProgramTree> = this.RULE("Program", () => {
    const statements: Tree.Statement[] = [];
    this.MANY(() => {
      statements.push(this.SUBRULE(this.Statement));
      this.CONSUME(end);
    });
    return { statements };
  });

  readonly Statement: Rule<Tree.Statement> = this.RULE("Statement", () =>
    this.OR<Alternatives<Tree.Statement>>({
      IGNORE_AMBIGUITIES: true,
      MAX_LOOKAHEAD: gated,
      DEF: [
        { GATE: () => this.isDeclaration(), ALT: () => this.SUBRULE(this.Declaration) },
        {
          GATE: () => this.is(1, "model") && this.isName(2) && this.opensValue(3, "="),
          ALT: () => this.SUBRULE(this.ModelDeclaration),
        },
        {
          GATE: () => this.isAssignment(),
          ALT: () => this.SUBRULE(this.Assignment),
        },
        { GATE: () => this.is(1, "minimise") && this.isName(2), ALT: () => this.SUBRULE(this.Objective) },
        { GATE: () => this.isInputOfPaper(), ALT: () => this.SUBRULE(this.PaperInput) },
        { GATE: () => this.isDefinition(), ALT: () => this.SUBRULE(this.Definition) },
        {
          ALT: () => {
            const expression = this.SUBRULE(this.Expression);
            return this.ACTION((): Tree.Statement => ({ kind: "result", expression, span: expression.span }));
          },
        },
      ],
    }),
  );

  private isAssignment(): boolean {
    return (this.is(1, "assign") || this.is(1, "begin")) && this.isName(2) && this.opensValue(3, "=");
  }

  /** A role is a word only before a name, or name(arguments), and then `:` or `=`. */
  private isDeclaration(): boolean {
    const role =
      this.is(1, "input") || this.is(1, "constant") || this.is(1, "variable") || this.is(1, "persistent");
    return role && this.isName(2) && this.opensValue(3, ":", "=");
  }

  /** `name: tensor(…)`, as the paper declares the tensors of a model; not where cells follow the type. */
  private isInputOfPaper(): boolean {
    if (!this.isName(1) || !this.opensValue(2, ":")) return false;
    const colon = this.is(2, "(") ? this.behindBracket(2) : 2;
    if (colon === undefined || !this.is(colon + 1, "tensor")) return false;
    const open = this.is(colon + 2, "<") ? colon + 5 : colon + 2;
    const behind = this.is(open, "(") ? this.behindBracket(open) : undefined;
    return behind !== undefined && this.isToken(behind, end);
  }

  /** `a =` or `f(…) =` */
  private isDefinition(): boolean {
    return this.isName(1) && this.opensValue(2, "=");
  }

  private opensValue(ahead: number, ...marks: readonly (":" | "=")[]): boolean {
    const behind = this.is(ahead, "(") ? this.behindBracket(ahead) : ahead;
    return behind !== undefined && marks.some((mark) => this.is(behind, mark));
  }

  readonly Declaration: Rule<Tree.Declaration> = this.RULE("Declaration", () => {
    const { role, span: start } = this.SUBRULE(this.Role);
    const declared = this.CONSUME(name);
    const args = this.OPTION(() => this.SUBRULE(this.Arguments));
    const rest = this.OR<Alternatives<Pick<Tree.Declaration, "type" | "value">>>([
      {
        ALT: () => {
          this.eat(":");
          const type = this.SUBRULE(this.Type);
          const value = this.OPTION2(() => {
            this.eat("=");
            return this.SUBRULE(this.Expression);
          });
          return value === undefined ? { type } : { type, value };
        },
      },
      {
        ALT: () => {
          this.CONSUME2(token("="));
          return { value: this.SUBRULE2(this.Expression) };
        },
      },
    ]);
    return this.ACTION((): Tree.Declaration => {
      const reference = this.declaredName(declared, args);
      const span = through(start, rest.value?.span ?? rest.type?.span ?? reference.span);
      return { kind: "declaration", role, name: reference, span, ...rest };
    });
  });

  /** `w` or `query(q)`, where it is given a value. */
  private declaredName(
    declared: IToken,
    args: { readonly span: Span; readonly list: readonly Tree.Argument[] } | undefined,
  ): Tree.Reference {
    const word = this.word(declared);
    const span = through(word.span, args?.span ?? word.span);
    const plain = { kind: "reference", name: word, outputs: [], span } as const;
    return args === undefined ? plain : { ...plain, arguments: args.list };
  }

  readonly ModelDeclaration: Rule<Tree.ModelDeclaration> = this.RULE("ModelDeclaration", () => {
    const start = this.eat("model");
    const declared = this.CONSUME(name);
    const ports = this.OPTION(() => this.SUBRULE(this.Ports));
    this.CONSUME(token("="));
    const value = this.SUBRULE(this.Expression);
    return this.ACTION((): Tree.ModelDeclaration => {
      const span = through(this.at(start), value.span);
      return { kind: "model", name: this.word(declared), ports: ports ?? [], value, span };
    });
  });

  readonly Ports: Rule<Tree.PortNames[]> = this.RULE("Ports", () => {
    const ports: Tree.PortNames[] = [];
    this.eat("(");
    this.AT_LEAST_ONE_SEP({ SEP: token(","), DEF: () => ports.push(this.SUBRULE(this.Port)) });
    this.eat(")");
    return ports;
  });

  readonly Port: Rule<Tree.PortNames> = this.RULE("Port", () => {
    const port = this.CONSUME(name);
    this.eat(":");
    const axes = this.OR<Alternatives<Tree.NameList>>([
      { ALT: () => this.SUBRULE(this.NameList) },
      {
        ALT: () => {
          const only = this.word(this.CONSUME2(name));
          return this.ACTION((): Tree.NameList => ({ kind: "names", names: [only], span: only.span }));
        },
      },
    ]);
    return this.ACTION((): Tree.PortNames => ({ port: this.word(port), axes }));
  });

  readonly Assignment: Rule<Tree.Assignment> = this.RULE("Assignment", () => {
    const start = this.OR([{ ALT: () => this.eat("assign") }, { ALT: () => this.eat("begin") }]);
    const assigned = this.CONSUME(name);
    const args = this.OPTION(() => this.SUBRULE(this.Arguments));
    this.CONSUME(token("="));
    const value = this.SUBRULE(this.Expression);
    return this.ACTION((): Tree.Assignment => {
      const span = through(this.at(start), value.span);
      // One of the two alternatives.
      const action = start.image as Tree.Action;
      return { kind: "assignment", action, name: this.declaredName(assigned, args), value, span };
    });
  });

  readonly Objective: Rule<Tree.Objective> = this.RULE("Objective", () => {
    const start = this.eat("minimise");
    const minimised = this.CONSUME(name);
    const value = this.ACTION(() => this.declaredName(minimised, undefined));
    return this.ACTION(
      (): Tree.Objective => ({ kind: "objective", value, span: through(this.at(start), value.span) }),
    );
  });

  readonly PaperInput: Rule<Tree.Declaration> = this.RULE("PaperInput", () => {
    const declared = this.CONSUME(name);
    const args = this.OPTION(() => this.SUBRULE(this.Arguments));
    this.eat(":");
    const type = this.SUBRULE(this.Type);
    return this.ACTION((): Tree.Declaration => {
      const reference = this.declaredName(declared, args);
      const span = through(reference.span, type.span);
      return { kind: "declaration", role: "input", name: reference, type, span };
    });
  });

  readonly Role: Rule<{ role: Tree.Role; span: Tree.Word["span"] }> = this.RULE("Role", () => {
    const roleToken = this.OR([
      { ALT: () => this.eat("input") },
      { ALT: () => this.eat("constant") },
      { ALT: () => this.eat("variable") },
      { ALT: () => this.eat("persistent") },
    ]);
    // One of the four alternatives.
    return this.ACTION(() => ({ role: roleToken.image as Tree.Role, span: this.at(roleToken) }));
  });

  readonly Definition: Rule<Tree.Definition> = this.RULE("Definition", () => {
    const defined = this.CONSUME(name);
    const parameters = this.OPTION(() => this.SUBRULE(this.Parameters));
    this.eat("=");
    const body = this.SUBRULE(this.Expression);
    return this.ACTION((): Tree.Definition => {
      const span = through(this.at(defined), body.span);
      const definition = { kind: "definition", name: this.word(defined), body, span } as const;
      return parameters === undefined ? definition : { ...definition, parameters };
    });
  });

  readonly Parameters: Rule<readonly Tree.Word[]> = this.RULE("Parameters", () => {
    const names: Tree.Word[] = [];
    this.eat("(");
    this.MANY_SEP({ SEP: token(","), DEF: () => names.push(this.word(this.CONSUME(name))) });
    this.eat(")");
    return names;
  });
}
