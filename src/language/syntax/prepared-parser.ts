import {
  EmbeddedActionsParser,
  type IParserErrorMessageProvider,
  type IRecognitionException,
  NoViableAltException,
  type TokenType,
} from "chevrotain";
import { type Decisions, decisionsOf, type Openings, type TokenStream } from "./decision.js";

/** A choice of a rule, named and numbered as in the rule: `OR2` is an "OR" with the number 2. */
export type DecisionRow = readonly [rule: string, kind: DecisionKind, number: number, openings: Openings];

export type DecisionKind = keyof typeof decisionKinds;

/** The numbers of Chevrotain for the kinds of choices. */
const decisionKinds = {
  ...{ OR: 1, OPTION: 2, MANY: 3, AT_LEAST_ONE: 4, MANY_SEP: 5, AT_LEAST_ONE_SEP: 6 },
} as const;

/** Members of Chevrotain's parser that are not in its types: what its analysis fills, and what its errors are made with. */
interface Internals extends TokenStream {
  selfAnalysisDone: boolean;
  readonly fullRuleNameToShort: Readonly<Record<string, number>>;
  /** By rule, and by the kind and the number of a choice. */
  readonly lookAheadFuncsCache: Decisions[keyof Decisions][][];
  /** The position of the last token that was read. */
  currIdx: number;
  getCurrRuleFullName(): string;
  SAVE_ERROR(error: IRecognitionException): Error;
}

/**
 * A parser that is told how to choose between alternatives. Chevrotain would find it out before it reads the first text, by
 * running all rules in another mode and analysing what they did: longer than a short program takes to compile and to run.
 * A test compares the table with what Chevrotain finds.
 */
export abstract class PreparedParser extends EmbeddedActionsParser {
  /** Without a table, Chevrotain analyses the grammar and validates it. */
  constructor(
    private readonly vocabulary: TokenType[],
    maxLookahead: number,
    private readonly messages: IParserErrorMessageProvider,
    private readonly decisions: readonly DecisionRow[] | undefined,
  ) {
    super(vocabulary, { maxLookahead, recoveryEnabled: false, errorMessageProvider: messages });
  }

  /** The last step of making a parser, when its rules are defined. */
  protected prepare(): void {
    if (this.decisions === undefined) this.performSelfAnalysis();
    else this.decideBy(this.decisions);
  }

  private get internals(): Internals {
    return this as unknown as Internals; // they are there: the version of Chevrotain is fixed
  }

  /** Chevrotain calls it for each token that is read. */
  protected consumeToken(): void {
    this.internals.currIdx++;
  }

  private decideBy(table: readonly DecisionRow[]): void {
    const { fullRuleNameToShort, lookAheadFuncsCache } = this.internals;
    const typeOf = new Map(this.vocabulary.map((type) => [type.name, type]));
    for (const [rule, kind, number, openings] of table) {
      const index = fullRuleNameToShort[rule] as number; // a test: the rules are the same
      lookAheadFuncsCache[index] ??= [];
      const { alternative, presence } = decisionsOf(openings, typeOf);
      const ofRule = lookAheadFuncsCache[index];
      ofRule[(decisionKinds[kind] << 8) | number] = kind === "OR" ? alternative : presence;
    }
    this.internals.selfAnalysisDone = true;
  }

  /** No alternative fits. Chevrotain would analyse the rule for its message, of which only the name of the rule is used. */
  protected raiseNoAltException(): never {
    const actual = this.LA(1);
    const previous = this.LA(0);
    const ruleName = this.internals.getCurrRuleFullName();
    const found = { expectedPathsPerAlt: [], actual: [actual], previous, ruleName };
    const message = this.messages.buildNoViableAltMessage(found);
    throw this.internals.SAVE_ERROR(new NoViableAltException(message, actual, previous));
  }

  /** Nothing of what must be there at least once. */
  protected raiseEarlyExitException(): never {
    return this.raiseNoAltException();
  }
}
