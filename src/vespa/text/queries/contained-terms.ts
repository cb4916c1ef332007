import type { TermPattern } from "./query-term.js";
import {
  allOf,
  annotationOf,
  type ReadTerm,
  type TermContext,
  termOf,
  unknown,
  wordsTerm,
} from "./term-reading.js";
import type { Condition, ConditionCall, ConditionLeaf } from "./yql.js";

/** What a text or a number says, or the parameter of this name. */
export const leafText = ({ type, text }: ConditionLeaf, context: TermContext): string =>
  type === "parameter" ? (context.text(text) ?? "") : text;

/** Annotations with which a word stands for others. */
const widening = ["prefix", "suffix", "substring"] as const;

/** The terms of `field contains …`; nothing where they are not known. */
export function containedTerms(
  field: string,
  operand: Condition,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (operand.kind === "comparison") return undefined;
  const { annotations } = operand;
  if (operand.kind === "leaf") {
    const text = leafText(operand, context);
    const kind = widening.find((each) => annotationOf(each, annotations, context) === "true");
    return kind === undefined
      ? wordsTerm(text, field, annotations, context)
      : termOf({ kind, text }, field, annotations, context);
  }
  const read = Object.hasOwn(containing, operand.name) ? containing[operand.name] : undefined;
  return read?.(field, operand, context);
}

type ContainsTerms = (
  field: string,
  call: ConditionCall,
  context: TermContext,
) => readonly ReadTerm[] | undefined;

const oneUnknown: ContainsTerms = (field, { annotations }, context) =>
  termOf(unknown, field, annotations, context);

/** What stands behind `contains` with arguments. */
// biome-ignore format: a table
const containing: Readonly<Record<string, ContainsTerms>> = {
  phrase:       ofPhrase,
  text:         ofPhrase,
  // Their words are terms by themselves, as nearness only decides whether there is a hit.
  near:         ofEach,
  onear:        ofEach,
  sameElement:  () => [],
  equiv:        ofEquivalents,
  fuzzy:        ofFuzzy,
  uri:          oneUnknown,
  alternatives: oneUnknown,
};

function ofEach(
  field: string,
  { arguments: parts }: ConditionCall,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  return allOf(parts.map((each) => containedTerms(field, each, context)));
}

/** One term, which is found where one of its own is. Those that count less than others are not computed here. */
function ofEquivalents(
  field: string,
  call: ConditionCall,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  const terms = ofEach(field, call, context);
  if (terms === undefined) return undefined;
  const [term] = termOf({ kind: "equivalent", terms }, field, call.annotations, context);
  if (term === undefined) return [];
  return [terms.every(({ weight }) => weight === term.weight) ? term : { ...term, pattern: unknown }];
}

/** `({maxEditDistance: 1, prefixLength: 2}fuzzy("chair"))` */
function ofFuzzy(
  field: string,
  { arguments: [operand], annotations }: ConditionCall,
  context: TermContext,
): readonly ReadTerm[] | undefined {
  if (operand?.kind !== "leaf") return undefined;
  const count = (name: string, otherwise: number): number => {
    const value = Number(annotationOf(name, annotations, context) ?? otherwise);
    return Number.isInteger(value) && value >= 0 ? value : otherwise;
  };
  const pattern: TermPattern = {
    ...{ kind: "fuzzy", text: leafText(operand, context) },
    ...{ most: count("maxEditDistance", 2), prefixLength: count("prefixLength", 0) },
    isPrefix: annotations.get("prefix") === "true",
  };
  return termOf(pattern, field, annotations, context);
}

function ofPhrase(field: string, call: ConditionCall, context: TermContext): readonly ReadTerm[] | undefined {
  const texts = textsIn(call, context);
  return texts && wordsTerm(texts.join(" "), field, call.annotations, context);
}

/** The texts of a phrase, and of phrases in it. */
function textsIn({ arguments: parts }: ConditionCall, context: TermContext): readonly string[] | undefined {
  const texts = parts.map((each) => {
    if (each.kind === "leaf") return [leafText(each, context)];
    return each.kind === "call" && each.name === "phrase" ? textsIn(each, context) : undefined;
  });
  return allOf(texts);
}
