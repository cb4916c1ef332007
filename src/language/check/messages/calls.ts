import {
  type ArgumentCount,
  arityText,
  counted,
  didYouMean,
  error,
  type NoValues,
  portability,
  quoted,
  shortened,
  warning,
} from "../../source/message.js";
import { type Phrase, phrases } from "../../source/phrase.js";
import type { TensorType } from "../../types/type.js";
import { numberText } from "../../values/text.js";

/** The forms that arguments can be required to have. */
const forms = {
  tensor: "a tensor",
  "unary lambda": "a lambda, such as f(x)(x + 1)",
  "binary lambda": "a lambda, such as f(x,y)(x + y)",
  dimension: "the name of a dimension",
  dimensions: "a dimension, or several in parentheses",
  aggregator: "an aggregator",
  order: "an order",
  "bit order": "an order of bits",
  "cell type": "a cell type",
  size: "a size",
  "whole size": "a size, such as 3",
  probability: "a probability from 0 to 1",
} as const;

export type ArgumentForm = keyof typeof forms;

/** Those that are written as one word. */
export type WordForm = "dimension" | "aggregator" | "order" | "bit order" | "cell type" | "size";

const isWord: { readonly [Form in ArgumentForm]?: true } = {
  dimension: true,
  dimensions: true,
  aggregator: true,
  order: true,
  "bit order": true,
  "cell type": true,
  size: true,
} satisfies Record<WordForm | "dimensions", true>;

/** What an argument is instead. */
const foundForms = {
  lambda: "a lambda",
  names: "a list of names",
  named: "a named argument",
  other: "something else",
  /** As it is written. */
  text: ({ text }: { text: string; isQuoted?: boolean }) =>
    quoted(shortened(text.slice(0, 200).replace(/\s+/g, " "))),
};

export type FoundArgument = Phrase<typeof foundForms>;

const foundText = phrases(foundForms);

interface Arity extends ArgumentCount {
  readonly name: string;
  readonly found: number;
  readonly signature: string;
  /** The whole call with what it lacks, where that is clear. */
  readonly replacement?: string | undefined;
}

/** Arguments as they are written, and in their order. */
interface Reordered {
  readonly text: string;
  readonly replacement: string;
}

interface MisplacedArgument {
  readonly expected: ArgumentForm;
  readonly found: FoundArgument;
  /** What was meant, in the form that is expected, where that is clear. */
  readonly replacement?: string | undefined;
}

interface FoundWord {
  readonly expected: "aggregator" | "order" | "bit order";
  readonly found: string;
  /** All that there are. */
  readonly words: readonly string[];
  readonly nearest: string | undefined;
  /** Whether it is a dimension of the tensor. */
  readonly isDimension: boolean;
}

/** What can be wrong with calls and operators: how many arguments there are, and what they are. */
export const callMessages = {
  "call/arity": error((values: Arity) => ({
    message: `${values.name} takes ${arityText(values)}, not ${values.found}`,
    found: `${values.found}`,
    expected: values.signature,
    replacement: values.replacement,
  })),
  "call/order": error(({ text, replacement }: Reordered) => ({
    message: "the tensor comes before the name of the dimension",
    found: quoted(shortened(text)),
    replacement,
  })),
  "call/aggregator-order": error(({ text, replacement }: Reordered) => ({
    message: "the aggregator comes before the dimensions",
    found: quoted(shortened(text)),
    replacement,
  })),
  "call/argument": error(({ expected, found, replacement }: MisplacedArgument) => ({
    message: `this argument must be ${forms[expected]}`,
    found: foundText(found),
    expected: forms[expected],
    replacement,
    ...(typeof found === "object" && found.isQuoted && isWord[expected]
      ? { hint: "write it without quotes", replacement: found.text.slice(1, -1) }
      : {}),
  })),
  "call/word": error(({ expected, found, words, nearest, isDimension }: FoundWord) => ({
    message: `${found} is not ${forms[expected]}`,
    found: quoted(found),
    expected: `one of ${words.join(", ")}`,
    hint: isDimension ? "the aggregator comes before the dimensions" : didYouMean(nearest),
    replacement: isDimension ? undefined : nearest,
  })),
  "call/host-argument": error(
    ({ function: name, type, declared }: { function: string; type: TensorType; declared: TensorType }) => ({
      message: `${name} takes a different type here`,
      found: `${type}`,
      expected: `${declared}`,
    }),
  ),
  "call/lambda-arity": error(({ found, expected }: { found: number; expected: number }) => ({
    message: `this lambda must have ${counted(expected, "parameter")}`,
    found: `${found}`,
    expected: expected === 1 ? "f(x)(…)" : "f(x,y)(…)",
  })),
  "call/lambda-index": error(({ name, dimensions }: { name: string; dimensions: readonly string[] }) => ({
    message: `this lambda takes indexes, and ${name} is not a dimension that has an index here`,
    found: quoted(name),
    expected:
      dimensions.length === 0
        ? "a dimension of a generated tensor around it"
        : `${dimensions.join(" or ")}, or a dimension of a generated tensor around it`,
  })),
  "call/lambda-ambiguous": error(({ name }: { name: string; dimensions: readonly string[] }) => ({
    message: `${name} is a dimension of this tensor, and also a name in an enclosing expression`,
    found: "two indexes",
    expected: "one index",
    hint: `rename the ${name} of the enclosing expression`,
  })),
  "call/parameter": error(({ name }: { name: string }) => ({
    message: `two parameters are called ${name}`,
    found: `${quoted(name)} again`,
    expected: "different names",
  })),
  "call/rename-count": error(({ from, to }: { from: number; to: number }) => ({
    message: "rename needs as many new names as dimensions",
    found: counted(to, "new name"),
    expected: `${from}`,
  })),
  "limit/expansions": error(({ limit }: { limit: number }) => ({
    message: "this program calls functions more often than is allowed",
    found: `more than ${limit} calls`,
    expected: `at most ${limit}`,
    hint: "give a repeated call a name, and use the name",
  })),
  "limit/expansion-depth": error(({ limit }: { limit: number }) => ({
    message: "calls of functions are nested too deeply here",
    found: `more than ${limit} levels`,
    expected: `at most ${limit}`,
  })),
  "portability/function": portability(({ name, instead }: { name: string; instead: string }) => ({
    message: `Vespa does not have this form of ${name}`,
    found: `${name} as the Paper writes it`,
    expected: "a form that Vespa has",
    hint: `in Vespa: ${instead}`,
  })),
  "portability/scalar": portability(({ name, instead }: { name: string; instead: string | undefined }) => ({
    message: `Vespa does not have the function ${name}`,
    found: name,
    expected: "a function that Vespa has",
    ...(instead === undefined ? {} : { hint: `in Vespa: ${instead}` }),
  })),
  "call/lambda-sizes": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `here ${name} has to be called with tensors of declared sizes, since its lambda uses names from outside of it`,
    found: `${type}`,
    expected: "a size for each indexed dimension",
    hint: "declare the sizes, as in x[3], or combine the tensors by operators",
  })),
  "portability/lambda": portability((_: NoValues) => ({
    message: "Vespa does not take a lambda here",
    found: "a lambda, as the Paper has it",
    expected: "an expression in parentheses",
  })),
  "portability/captured": portability(({ name }: { name: string }) => ({
    message: `in Vespa a lambda sees only its own parameters, and not ${name}`,
    found: quoted(name),
    expected: "a parameter of the lambda, or a number",
  })),
  "portability/host-function": portability(({ name }: { name: string }) => ({
    message: "Vespa does not have functions of this host",
    found: name,
    expected: "a function that Vespa has",
  })),
  "portability/reduction": error((values: { name: string; dimension: string; isDeployed: boolean }) => ({
    message: `Vespa does not take this ${values.name} for a reduction along ${values.dimension}${values.isDeployed ? ": parameters are numbers where a function is defined" : ", as it stands in a slice, a literal or a lambda"}`,
    found: `the dimension ${quoted(values.dimension)}`,
    expected: `reduce(…, ${values.name}, ${values.dimension})`,
  })),
  "comparison/chain": warning(({ read, both }: { read: string; both: string | undefined }) => ({
    message: "what a comparison gives, 0 or 1, is compared again",
    found: `read as ${read}`,
    expected: "comparisons with && between them, or parentheses",
    replacement: both,
  })),
  "portability/grouping": warning(({ ours, java }: { ours: string; java: string }) => ({
    message: "Vespa's engines group this differently",
    found: `read here, and on content nodes, as ${ours}`,
    expected: `its Java front end reads ${java}`,
    hint: "write the parentheses",
  })),
  "portability/constants": warning(({ vespa, written }: { vespa: string; written: string }) => ({
    message: "Vespa computes neighbouring constants first when it deploys a rank profile",
    found: `computed as ${vespa}`,
    expected: `perhaps ${written}, or one constant`,
    hint: "write the parentheses",
  })),
  "portability/slices": portability((_: NoValues) => ({
    message: "Vespa reads only one slice after a tensor, and drops parentheses around a sliced tensor",
    found: "a second slice",
    expected: "one slice with both labels, t{k:a,x:1}, or a slice of a function that is not inline",
  })),
  "portability/short-slice": portability(({ type, dimension }: { type: TensorType; dimension: string }) => ({
    message: "Vespa has short slices only of tensors with one dimension",
    found: `${type}`,
    expected: `the name of the dimension: {${dimension}:…}`,
  })),
  "portability/sign": warning((_: NoValues) => ({
    message: "Vespa deploys -0 as 0: its whole numbers have no sign of zero",
    found: "`-0`",
    expected: "`-0.0`, or `0`",
  })),
  "portability/infinity": warning(({ value }: { value: number }) => ({
    message:
      "Vespa deploys this number as a word, which its engines take for a feature that they do not know",
    found: numberText(value),
    expected: "finite numbers, or an infinity that is computed of inputs",
  })),
  "portability/branches": error(({ yes, no }: { yes: TensorType; no: TensorType }) => ({
    message: "Vespa's content nodes refuse a choice between tensors of different cell types",
    found: `${yes} and ${no}`,
    expected: "one type of cells for both",
    hint: `write cell_cast(…, ${no.cellType}) around the first, or cell_cast(…, ${yes.cellType}) around the second`,
  })),
  "portability/zero": warning(({ type }: { type: TensorType }) => ({
    message: "Vespa deploys a product with a factor 0 as 0, whatever the other factors are",
    found: type.isScalar ? "a factor 0" : `a factor 0 of type ${type}`,
    expected: "a factor that is not a constant 0",
  })),
  "portability/inline": warning(({ vespa, written }: { vespa: string; written: string }) => ({
    message:
      "Vespa inserts the text of an inline function, or of a choice with a constant condition, here without parentheses",
    found: `computed as ${vespa}`,
    expected: `perhaps the value of each operand: ${written}`,
    hint: "write parentheses around its name",
  })),
  "portability/list": warning(({ vespa, written }: { vespa: string; written: string }) => ({
    message: "Vespa writes no parentheses around an `in` test, whatever stands before it",
    found: `computed as ${vespa}`,
    expected: `perhaps ${written}`,
    hint: "write if(a in [1], 1, 0) for (a in [1])",
  })),
  "portability/text": warning(({ symbol }: { symbol: string }) => ({
    message: `a text is read as a number, its hash: Vespa's Java front end refuses ${symbol} on it`,
    found: "a text",
    expected: "a number, or one of == != ~= in",
  })),
};

export type CallMessages = typeof callMessages;
