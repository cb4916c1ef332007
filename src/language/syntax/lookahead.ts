import { type ILookaheadStrategy, LLkLookaheadStrategy } from "chevrotain";

type Chooser = ReturnType<ILookaheadStrategy["buildLookaheadForAlternation"]>;
type Decider = ReturnType<ILookaheadStrategy["buildLookaheadForOptional"]>;

/**
 * Chevrotain's way to choose between alternatives: by the tokens that each of them may begin with. Chevrotain finds these
 * for the whole grammar before the first token is read, which takes longer than to read any short text. Here each choice
 * finds its own when it is first met.
 */
export function lookahead(maxLookahead: number): ILookaheadStrategy {
  const eager = new LLkLookaheadStrategy({ maxLookahead });
  return {
    validate: (options) => eager.validate(options),
    buildLookaheadForAlternation: (options): Chooser => {
      let choose: Chooser | undefined;
      return function (this: unknown, alternatives) {
        choose ??= eager.buildLookaheadForAlternation(options);
        return choose.call(this, alternatives); // it reads the tokens of this parser
      };
    },
    buildLookaheadForOptional: (options): Decider => {
      let decide: Decider | undefined;
      return function (this: unknown) {
        decide ??= eager.buildLookaheadForOptional(options);
        return decide.call(this);
      };
    },
  };
}
