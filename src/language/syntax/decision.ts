import { type IOrAlt, type IToken, type TokenType, tokenMatcher } from "chevrotain";

/** How the alternatives of one choice begin: for each alternative sequences of the names of tokens, with a space between. */
export type Openings = readonly (readonly string[])[];

/** What chooses: the number of an alternative, or whether what may be left out is there. */
export interface Decisions {
  /** For `OR`. */
  alternative(this: TokenStream, alternatives: readonly IOrAlt<unknown>[]): number | undefined;
  /** For `OPTION`, `MANY` and the like. */
  presence(this: TokenStream): boolean;
}

/** The parser, from the next token on. */
export interface TokenStream {
  LA(ahead: number): IToken;
}

/** An alternative that the next token may begin, and the tokens that must follow. */
interface Candidate {
  readonly alternative: number;
  readonly following: readonly TokenType[];
}

/** Decides like Chevrotain: for the first alternative whose gate is open and whose tokens are next. */
export function decisionsOf(openings: Openings, typeOf: ReadonlyMap<string, TokenType>): Decisions {
  const byToken = new Map<TokenType, readonly Candidate[]>();

  function candidatesAt(token: IToken): readonly Candidate[] {
    let candidates = byToken.get(token.tokenType);
    if (candidates === undefined) {
      candidates = candidatesOf(openings, token, typeOf);
      byToken.set(token.tokenType, candidates);
    }
    return candidates;
  }

  return {
    alternative(alternatives) {
      for (const { alternative, following } of candidatesAt(this.LA(1))) {
        if (alternatives[alternative]?.GATE?.call(this) !== false && areNext(this, following))
          return alternative;
      }
      return undefined;
    },
    presence() {
      for (const { following } of candidatesAt(this.LA(1))) if (areNext(this, following)) return true;
      return false;
    },
  };
}

function candidatesOf(
  openings: Openings,
  token: IToken,
  typeOf: ReadonlyMap<string, TokenType>,
): readonly Candidate[] {
  return openings.flatMap((sequences, alternative) =>
    sequences.flatMap((sequence): Candidate[] => {
      const [first, ...following] = sequence.split(" ").map((name) => typeOf.get(name) as TokenType); // a test: all are tokens
      return first !== undefined && tokenMatcher(token, first) ? [{ alternative, following }] : [];
    }),
  );
}

function areNext(tokens: TokenStream, types: readonly TokenType[]): boolean {
  let ahead = 2;
  for (const type of types) if (!tokenMatcher(tokens.LA(ahead++), type)) return false;
  return true;
}
