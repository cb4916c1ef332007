import type { Span } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";
import type { Alternatives, Rule } from "./reader.js";
import { TextRules } from "./text-rules.js";
import { name, newline, string, suffix, tensor } from "./tokens.js";
import type * as Tree from "./tree.js";

/** Rules for rank profiles and what they share with schemas: constants and models. In the order of schema.ebnf. */
export abstract class ProfileRules extends TextRules {
  readonly RankProfile: Rule<Tree.ProfileStatement> = this.RULE("RankProfile", () => {
    const keyword = this.oneOf("rank-profile", "model");
    const profile = this.CONSUME(name);
    const inherits = this.OPTION(() => this.SUBRULE(this.Inherits)) ?? [];
    const items = this.block<Tree.ProfileItem>([this.ProfileItem]);
    return { ...this.node("rank-profile", keyword), name: this.word(profile), inherits, items };
  });

  readonly ProfileItem: Rule<Tree.ProfileItem> = this.RULE("ProfileItem", () =>
    this.firstOf<Tree.ProfileItem>([
      this.Inputs,
      this.Constants,
      this.Constant,
      this.Function,
      this.Phase,
      this.Features,
      this.Properties,
      this.Model,
      this.RankProfile,
      this.Detail,
    ]),
  );

  readonly Inputs: Rule<Tree.InputsStatement> = this.RULE("Inputs", () => {
    const keyword = this.eat("inputs");
    const items = this.block<Tree.InputStatement | Tree.Detail>([this.Input, this.Stray], false);
    return { ...this.node("inputs", keyword), items };
  });

  readonly Input: Rule<Tree.InputStatement> = this.RULE("Input", () => {
    const first = this.LA(1);
    const input = this.nameIn("query");
    // Vespa reads a word between them, and drops it: `query(q) tensor tensor<float>(x[3])`.
    const isDropped = () => this.LA(1).image === "tensor" && this.LA(2).tokenType === tensor;
    this.OPTION({ GATE: isDropped, DEF: () => this.CONSUME(name) });
    const type = this.OPTION2({ GATE: () => this.isType(), DEF: () => this.SUBRULE(this.Type) });
    const value = this.OPTION3(() => {
      this.eat(":");
      this.OPTION4(() => this.CONSUME(newline));
      return this.SUBRULE(this.Value);
    });
    return { ...this.node("query", first), name: this.word(input), type, value };
  });

  readonly Constants: Rule<Tree.ConstantsStatement> = this.RULE("Constants", () => {
    const keyword = this.eat("constants");
    const items = this.block<Tree.ConstantStatement | Tree.Detail>([this.Entry, this.Stray], false);
    return { ...this.node("constants", keyword), items };
  });

  readonly Entry: Rule<Tree.ConstantStatement> = this.RULE("Entry", () => {
    const first = this.LA(1);
    const constant = this.nameIn("constant");
    const type = this.OPTION({ GATE: () => this.isType(), DEF: () => this.SUBRULE(this.Type) });
    const value = this.OPTION2(() => {
      this.eat(":");
      this.OPTION3(() => this.CONSUME(newline));
      return this.OR2<Alternatives<Span | Tree.FilePath>>([
        { GATE: () => this.is(2, ":"), ALT: () => this.SUBRULE(this.FilePath) },
        { ALT: () => this.SUBRULE(this.Value) },
      ]);
    });
    const inner = this.OPTION4({ GATE: () => this.is(1, "{"), DEF: () => this.constantBlock(false) });
    return this.ACTION(() => ({
      ...this.node("constant", first),
      name: this.word(constant),
      type: type ?? inner?.type,
      value: value ?? inner?.value,
      isRemote: inner?.isRemote ?? false,
    }));
  });

  readonly Constant: Rule<Tree.ConstantStatement> = this.RULE("Constant", () => {
    const keyword = this.eat("constant");
    const constant = this.CONSUME(name);
    const inner = this.constantBlock(true);
    return { ...this.node("constant", keyword), name: this.word(constant), ...inner };
  });

  /** `Open ( ConstantType | FilePath | ConstantValue | Other | newline )* "}"` */
  private constantBlock(isBraceBelow: boolean): Pick<Tree.ConstantStatement, "type" | "value" | "isRemote"> {
    const items = this.block<Tree.ConstantItem>(
      [this.ConstantType, this.FilePath, this.ConstantValue, this.Other],
      isBraceBelow,
    );
    const type = items.find((each) => each.kind === "type")?.type;
    const file = items.find((each) => each.kind === "file");
    const isRemote = items.some((each) => each.kind === "other" && each.keyword.text === "uri");
    return { type, value: file ?? items.find((each) => each.kind === "value")?.value, isRemote };
  }

  readonly ConstantType: Rule<Tree.ConstantType> = this.RULE("ConstantType", () => {
    const keyword = this.eat("type");
    this.eat(":");
    const type = this.SUBRULE(this.Type);
    return { ...this.node("type", keyword), type };
  });

  readonly ConstantValue: Rule<Tree.ConstantValue> = this.RULE("ConstantValue", () => {
    const keyword = this.eat("value");
    const value = this.OR([
      {
        ALT: () => {
          this.eat(":");
          this.OPTION(() => this.CONSUME(newline));
          return this.SUBRULE(this.Value);
        },
      },
      {
        ALT: () => {
          this.OPTION2(() => this.CONSUME2(newline));
          return this.SUBRULE(this.Block);
        },
      },
    ]);
    return { ...this.node("value", keyword), value };
  });

  readonly Function: Rule<Tree.FunctionStatement> = this.RULE("Function", () => {
    const keyword = this.oneOf("function", "macro");
    const inline = this.OPTION({ GATE: () => this.isName(2), DEF: () => this.eat("inline") });
    const defined = this.CONSUME(name);
    const parameters = this.OPTION2(() => this.SUBRULE(this.Parameters)) ?? [];
    const items = this.block<Tree.ExpressionStatement | Tree.Detail>([this.Expression, this.Detail]);
    const isInline = inline !== undefined;
    return { ...this.node("function", keyword), name: this.word(defined), isInline, parameters, items };
  });

  readonly Parameters: Rule<readonly Word[]> = this.RULE("Parameters", () => {
    const names: Word[] = [];
    this.eat("(");
    this.OPTION(() => {
      names.push(this.word(this.CONSUME(name)));
      this.MANY(() => {
        this.eat(",");
        names.push(this.word(this.CONSUME2(name)));
      });
    });
    this.eat(")");
    return names;
  });

  readonly Phase: Rule<Tree.PhaseStatement> = this.RULE("Phase", () => {
    const keyword = this.oneOf("first-phase", "second-phase", "global-phase");
    const items = this.block<Tree.ExpressionStatement | Tree.Detail>([this.Expression, this.Detail]);
    return { ...this.node("phase", keyword), items };
  });

  readonly Expression: Rule<Tree.ExpressionStatement> = this.RULE("Expression", () => {
    const keyword = this.eat("expression");
    const text = this.SUBRULE(this.Text);
    return { ...this.node("expression", keyword), text };
  });

  readonly Features: Rule<Tree.FeaturesStatement> = this.RULE("Features", () => {
    const keyword = this.oneOf("match-features", "summary-features", "rank-features", "sort-features");
    const inherits = this.OPTION(() => this.SUBRULE(this.Inherits)) ?? [];
    const items = this.OR2<Alternatives<readonly (Tree.FeatureStatement | Tree.Detail)[]>>([
      {
        ALT: () => {
          this.eat(":");
          return this.SUBRULE(this.FeatureLine);
        },
      },
      { ALT: () => this.block<Tree.FeatureStatement | Tree.Detail>([this.Feature, this.Stray]) },
    ]);
    return { ...this.node("features", keyword), inherits, items };
  });

  readonly FeatureLine: Rule<readonly (Tree.FeatureStatement | Tree.Detail)[]> = this.RULE(
    "FeatureLine",
    () => {
      const listed: (Tree.FeatureStatement | Tree.Detail)[] = [];
      this.MANY(() => listed.push(this.SUBRULE(this.LineFeature)));
      this.OPTION(() => listed.push(this.SUBRULE(this.Stray)));
      return listed;
    },
  );

  readonly LineFeature: Rule<Tree.FeatureStatement> = this.RULE("LineFeature", () => {
    const first = this.CONSUME(name);
    this.OPTION(() => this.SUBRULE(this.LineGroup));
    this.MANY(() => this.CONSUME(suffix));
    return this.node("feature", first);
  });

  readonly Feature: Rule<Tree.FeatureStatement> = this.RULE("Feature", () => {
    const first = this.CONSUME(name);
    this.OPTION(() => this.SUBRULE(this.Group));
    this.MANY(() => this.CONSUME(suffix));
    return this.node("feature", first);
  });

  readonly Properties: Rule<Tree.PropertiesStatement> = this.RULE("Properties", () => {
    const keyword = this.eat("rank-properties");
    const items = this.block([this.Other]);
    return { ...this.node("properties", keyword), items };
  });

  readonly Model: Rule<Tree.ModelStatement> = this.RULE("Model", () => {
    const keyword = this.eat("onnx-model");
    const model = this.CONSUME(name);
    const items = this.block<Tree.FilePath | Tree.Port | Tree.Detail>([
      this.FilePath,
      this.Port,
      this.Detail,
    ]);
    return { ...this.node("onnx-model", keyword), name: this.word(model), items };
  });

  readonly Port: Rule<Tree.Port> = this.RULE("Port", () => {
    const keyword = this.oneOf("input", "output");
    const port = this.OR2([{ ALT: () => this.CONSUME(name) }, { ALT: () => this.CONSUME(string) }]);
    this.eat(":");
    const value = this.SUBRULE(this.Line);
    const kind = keyword.image === "input" ? "input" : "output";
    return { ...this.node(kind, keyword), name: this.word(port), value };
  });
}
