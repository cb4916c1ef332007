import { type ILookaheadStrategy, LLkLookaheadStrategy } from "chevrotain";

type Alternation = ReturnType<ILookaheadStrategy["buildLookaheadForAlternation"]>;
type Optional = ReturnType<ILookaheadStrategy["buildLookaheadForOptional"]>;

/**
 * Chevrotain's way to choose between alternatives: by the tokens that each may begin with. It finds them for the whole
 * grammar before the first token is read, which takes longer than all else that a short text needs. Here each choice
 * finds them when it is first met.
 */
export function lookahead(maxLookahead: number): ILookaheadStrategy {
  const eager = new LLkLookaheadStrategy({ maxLookahead });
  return {
    validate: (options) => eager.validate(options),
    buildLookaheadForAlternation: (options): Alternation => {
      let choose: Alternation | undefined;
      return function (alternatives) {
        choose ??= eager.buildLookaheadForAlternation(options);
        return choose.call(this, alternatives);
      };
    },
    buildLookaheadForOptional: (options): Optional => {
      let choose: Optional | undefined;
      return function (...given) {
        choose ??= eager.buildLookaheadForOptional(options);
        return choose.apply(this, given);
      };
    },
  };
}
