import type { IToken } from "chevrotain";
import { type OperatorSymbol, operatorSymbols, type PrefixSymbol } from "../scalar/operators.js";
import { type Span, through } from "../source/span.js";
import { foldedIn } from "./folding.js";
import { LiteralGrammar } from "./literals.js";
import { foldOperators } from "./precedence.js";
import { type Alternatives, gated, type Rule } from "./reader.js";
import { name, number, string, token } from "./tokens.js";
import type * as Tree from "./tree.js";

/** Expressions: the first half of grammar/sphex.ebnf. */
export abstract class ExpressionGrammar extends LiteralGrammar {
  readonly SingleExpression: Rule<Tree.Expression> = this.RULE("SingleExpression", () =>
    this.SUBRULE(this.Expression),
  );

  override readonly Expression: Rule<Tree.Expression> = this.RULE("Expression", () => {
    const links: Tree.Link[] = [];
    const first = this.SUBRULE(this.Operand);
    this.MANY(() => {
      this.OR([
        {
          GATE: () => this.is(1, "in") && this.is(2, "["),
          ALT: () => links.push(this.SUBRULE(this.Membership)),
        },
        {
          ALT: () => {
            const operator = this.SUBRULE(this.Operator);
            const operand = this.SUBRULE2(this.Operand);
            this.ACTION(() => links.push({ kind: "operation", ...operator, operand }));
          },
        },
      ]);
    });
    return this.ACTION(() => foldOperators(first, links));
  });

  readonly Membership: Rule<Tree.Link> = this.RULE("Membership", () => {
    const items: Tree.Expression[] = [];
    const start = this.eat("in");
    this.eat("[");
    this.MANY_SEP({ SEP: token(","), DEF: () => items.push(this.SUBRULE(this.Expression)) });
    const close = this.eat("]");
    return this.ACTION((): Tree.Link => ({ kind: "membership", items, span: this.from(start, close) }));
  });

  readonly Operator: Rule<{ symbol: OperatorSymbol; span: Span }> = this.RULE("Operator", () => {
    const operatorToken = this.OR(
      (this.operatorAlternatives ??= operatorSymbols.map((symbol) => ({
        ALT: () => this.CONSUME(token(symbol)),
      }))),
    );
    // The alternatives are the operators, so the spelling is one.
    return this.ACTION(() => ({
      symbol: operatorToken.image as OperatorSymbol,
      span: this.at(operatorToken),
    }));
  });
  private operatorAlternatives: { ALT: () => IToken }[] | undefined;

  readonly Operand: Rule<Tree.Expression> = this.RULE("Operand", () => {
    const prefixes: { symbol: PrefixSymbol; span: Span }[] = [];
    const slices: Tree.Slice[] = [];
    this.MANY(() => {
      const prefix = this.OR([{ ALT: () => this.eat("!") }, { ALT: () => this.eat("-") }]);
      // One of the two alternatives.
      this.ACTION(() => prefixes.push({ symbol: prefix.image as PrefixSymbol, span: this.at(prefix) }));
    });
    const primary = this.SUBRULE(this.Primary);
    this.MANY2(() => {
      slices.push(this.SUBRULE(this.Slice));
    });
    return this.ACTION(() => operandOf(prefixes, primary, slices));
  });

  readonly Primary: Rule<Tree.Expression> = this.RULE("Primary", () =>
    this.OR<Alternatives<Tree.Expression>>({
      IGNORE_AMBIGUITIES: true,
      MAX_LOOKAHEAD: gated,
      DEF: (this.primaryAlternatives ??= [
        { ALT: () => this.numberLiteral() },
        { ALT: () => this.textLiteral() },
        { ALT: () => this.query() },
        { ALT: () => this.grouped() },
        { GATE: () => this.isType("tensor"), ALT: () => this.SUBRULE(this.Typed) },
        {
          GATE: () => this.isType("range") || this.isType("diag") || this.isType("random"),
          ALT: () => this.SUBRULE(this.Shape),
        },
        { ALT: () => this.SUBRULE(this.Untyped) },
        { GATE: () => this.isSwitch(), ALT: () => this.SUBRULE(this.Switch) },
        { ALT: () => this.SUBRULE(this.Call) },
      ]),
    }),
  );
  private primaryAlternatives: { ALT: () => Tree.Expression; GATE?: () => boolean }[] | undefined;

  private numberLiteral(): Tree.Expression {
    const numberToken = this.CONSUME(number);
    return this.ACTION((): Tree.Expression => {
      const folded = foldedIn(numberToken);
      if (folded !== undefined) {
        folded.isRead = true;
        return folded.tree;
      }
      return {
        kind: "number",
        value: Number.parseFloat(numberToken.image),
        text: numberToken.image,
        span: this.at(numberToken),
      };
    });
  }

  private textLiteral(): Tree.Expression {
    const stringToken = this.CONSUME(string);
    return this.ACTION(
      (): Tree.Expression => ({
        kind: "text",
        value: this.unquoted(stringToken),
        span: this.at(stringToken),
      }),
    );
  }

  /** `$q` is `query(q)`. */
  private query(): Tree.Expression {
    const dollar = this.eat("$");
    const nameToken = this.CONSUME(name);
    return this.ACTION((): Tree.Expression => {
      const inner: Tree.Reference = {
        kind: "reference",
        name: this.word(nameToken),
        outputs: [],
        span: this.at(nameToken),
      };
      const query: Tree.Word = { text: "query", span: this.at(dollar) };
      return {
        kind: "reference",
        name: query,
        arguments: [inner],
        outputs: [],
        span: this.from(dollar, nameToken),
      };
    });
  }

  /** Brackets belong to what they hold; a bare name in them is a value where it would else be a word. */
  private grouped(): Tree.Expression {
    const open = this.eat("(");
    const inner = this.SUBRULE(this.Expression);
    const close = this.eat(")");
    return this.ACTION(() => {
      const whole = { ...inner, span: this.from(open, close) };
      return whole.kind === "reference" ? { ...whole, grouped: whole.grouped ?? inner.span } : whole;
    });
  }

  readonly Call: Rule<Tree.Reference> = this.RULE("Call", () => {
    const outputs: Tree.Word[] = [];
    const called = this.CONSUME(name);
    const args = this.OPTION(() => this.SUBRULE(this.Arguments));
    this.MANY(() => {
      this.eat(".");
      const output = this.OR([{ ALT: () => this.CONSUME2(name) }, { ALT: () => this.CONSUME(number) }]);
      this.ACTION(() => outputs.push(this.word(output)));
    });
    return this.ACTION((): Tree.Reference => {
      const last = outputs.at(-1)?.span ?? args?.span ?? this.at(called);
      const reference = {
        kind: "reference",
        name: this.word(called),
        outputs,
        span: through(this.at(called), last),
      } as const;
      return args === undefined ? reference : { ...reference, arguments: args.list };
    });
  });

  readonly Arguments: Rule<{ list: readonly Tree.Argument[]; span: Span }> = this.RULE("Arguments", () => {
    const list: Tree.Argument[] = [];
    const open = this.eat("(");
    this.MANY_SEP({ SEP: token(","), DEF: () => list.push(this.SUBRULE(this.Argument)) });
    const close = this.eat(")");
    return this.ACTION(() => ({ list, span: this.from(open, close) }));
  });

  readonly Argument: Rule<Tree.Argument> = this.RULE("Argument", () =>
    this.OR<Alternatives<Tree.Argument>>({
      IGNORE_AMBIGUITIES: true,
      MAX_LOOKAHEAD: gated,
      DEF: [
        { GATE: () => this.isLambda(), ALT: () => this.SUBRULE(this.Lambda) },
        {
          GATE: () => this.is(2, ":"),
          ALT: () => {
            const label = this.CONSUME(name);
            this.eat(":");
            const value = this.SUBRULE2(this.Expression);
            return this.ACTION(() => ({
              kind: "named" as const,
              name: this.word(label),
              value,
              span: through(this.at(label), value.span),
            }));
          },
        },
        {
          GATE: () => this.is(1, "(") && this.isName(2) && this.is(3, ","),
          ALT: () => this.SUBRULE(this.NameList),
        },
        { ALT: () => this.SUBRULE(this.Expression) },
      ],
    }),
  );

  readonly Lambda: Rule<Tree.LambdaTree> = this.RULE("Lambda", () => {
    const parameters: Tree.Word[] = [];
    const start = this.eat("f");
    this.eat("(");
    this.MANY_SEP({ SEP: token(","), DEF: () => parameters.push(this.word(this.CONSUME(name))) });
    this.eat(")");
    this.CONSUME2(token("("));
    const body = this.SUBRULE(this.Expression);
    const close = this.CONSUME2(token(")"));
    return this.ACTION(
      (): Tree.LambdaTree => ({ kind: "lambda", parameters, body, span: this.from(start, close) }),
    );
  });

  readonly NameList: Rule<Tree.NameList> = this.RULE("NameList", () => {
    const open = this.eat("(");
    const names = [this.word(this.CONSUME(name))];
    this.AT_LEAST_ONE(() => {
      this.eat(",");
      names.push(this.word(this.CONSUME2(name)));
    });
    const close = this.eat(")");
    return this.ACTION((): Tree.NameList => ({ kind: "names", names, span: this.from(open, close) }));
  });

  readonly Switch: Rule<Tree.Switch> = this.RULE("Switch", () => {
    const cases: { when: Tree.Expression; result: Tree.Expression }[] = [];
    const start = this.eat("switch");
    this.eat("(");
    const value = this.SUBRULE(this.Expression);
    this.eat(")");
    this.eat("{");
    this.AT_LEAST_ONE({ GATE: () => this.is(1, "case"), DEF: () => cases.push(this.SUBRULE(this.Case)) });
    this.eat("default");
    this.eat(":");
    const otherwise = this.SUBRULE2(this.Expression);
    const close = this.eat("}");
    return this.ACTION(
      (): Tree.Switch => ({ kind: "switch", value, cases, otherwise, span: this.from(start, close) }),
    );
  });

  readonly Case: Rule<{ when: Tree.Expression; result: Tree.Expression }> = this.RULE("Case", () => {
    this.eat("case");
    const when = this.SUBRULE(this.Expression);
    this.eat(":");
    const result = this.SUBRULE2(this.Expression);
    this.eat(",");
    return { when, result };
  });

  readonly Slice: Rule<Tree.Slice> = this.RULE("Slice", () =>
    this.OR<Alternatives<Tree.Slice>>([
      {
        ALT: () => {
          const open = this.eat("[");
          const index = this.SUBRULE(this.Expression);
          const close = this.eat("]");
          return this.ACTION((): Tree.Slice => ({ kind: "index", index, span: this.from(open, close) }));
        },
      },
      {
        ALT: () => {
          const open = this.eat("{");
          const inner = this.OR2<
            Alternatives<{ bindings: Tree.SliceBinding[] } | { selector: Tree.Selector }>
          >([
            {
              GATE: () => this.is(2, ":"),
              ALT: () => {
                const bindings: Tree.SliceBinding[] = [];
                this.AT_LEAST_ONE_SEP({
                  SEP: token(","),
                  DEF: () => bindings.push(this.SUBRULE(this.Binding)),
                });
                return { bindings };
              },
            },
            { ALT: () => ({ selector: this.SUBRULE(this.Selector) }) },
          ]);
          const close = this.eat("}");
          return this.ACTION((): Tree.Slice => {
            const span = this.from(open, close);
            return "bindings" in inner
              ? { kind: "address", span, ...inner }
              : { kind: "short", span, ...inner };
          });
        },
      },
    ]),
  );

  readonly Binding: Rule<Tree.SliceBinding> = this.RULE("Binding", () => {
    const dimension = this.word(this.CONSUME(name));
    this.eat(":");
    return { dimension, selector: this.SUBRULE(this.Selector) };
  });

  readonly Selector: Rule<Tree.Selector> = this.RULE("Selector", () =>
    this.OR<Alternatives<Tree.Selector>>({
      IGNORE_AMBIGUITIES: true,
      MAX_LOOKAHEAD: gated,
      DEF: [
        {
          GATE: () => this.endsLabel(),
          ALT: () => ({ kind: "label" as const, label: this.word(this.CONSUME(name)), quoted: false }),
        },
        {
          GATE: () => this.endsLabel(),
          ALT: () => ({ kind: "label" as const, label: this.quotedWord(this.CONSUME(string)), quoted: true }),
        },
        { ALT: () => ({ kind: "value" as const, value: this.SUBRULE(this.Supplied) }) },
      ],
    }),
  );

  override readonly Supplied: Rule<Tree.Supplied> = this.RULE("Supplied", () =>
    this.OR<Alternatives<Tree.Supplied>>({
      IGNORE_AMBIGUITIES: true,
      MAX_LOOKAHEAD: gated,
      DEF: [
        { GATE: () => this.isLambda(), ALT: () => this.SUBRULE(this.Lambda) },
        { ALT: () => this.SUBRULE(this.Expression) },
      ],
    }),
  );
}

/** Slices apply first, then the prefixes from the last to the first. */
function operandOf(
  prefixes: Tree.Prefixed["operators"],
  primary: Tree.Expression,
  slices: readonly Tree.Slice[],
): Tree.Expression {
  const [prefix, slice] = [prefixes[0], slices.at(-1)];
  const sliced: Tree.Expression =
    slice === undefined
      ? primary
      : { kind: "sliced", tensor: primary, slices, span: through(primary.span, slice.span) };
  if (prefix === undefined) return sliced;
  return { kind: "prefixed", operators: prefixes, operand: sliced, span: through(prefix.span, sliced.span) };
}
