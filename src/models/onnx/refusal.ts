import { type Phrase, phrases } from "../../language/source/phrase.js";

/** Why a node cannot become an expression. */
const refusals = {
  operator: "this operator is not in the table",
  opset: ({ since }: { since: number }) => `it is known from opset ${since} on`,
  "input missing": ({ position }: { position: number }) => `its input ${position + 1} is missing`,
  "input unsupported": ({ position }: { position: number }) => `its input ${position + 1} is not supported`,
  "not constant": ({ purpose }: { purpose: string }) =>
    `its ${purpose} must be constant, because the type of the result depends on it`,
  "not single": ({ purpose, count }: { purpose: string; count: number }) =>
    `its ${purpose} must be one number, and has ${count}`,
  lengths: ({ purpose, count, expected }: { purpose: string; count: number; expected: number }) =>
    `its ${purpose} must have ${expected} numbers, and has ${count}`,
  "element type": ({ name }: { name: string }) => `elements of type ${name} are not numbers of this language`,
  "no element": "a tensor without elements is not a value of this language",
  "no input": ({ name, inputs }: { name: string; inputs: readonly string[] }) =>
    `there is no input ${name} among ${inputs.join(", ")}`,
  "not whole": ({ name }: { name: string }) => `its input ${name} takes whole numbers of its type alone`,
  "too large": ({ elements }: { elements: number }) =>
    `${elements} elements are more than a program may have`,
  "too long": ({ most }: { most: number }) => `it has more than the ${most} steps that can be written out`,
  "deep functions": ({ most }: { most: number }) =>
    `functions and graphs within nodes are more than ${most} levels deep`,
  "many calls": ({ most }: { most: number }) => `functions and loops become more than ${most} nodes`,
  "too many axes": ({ axes }: { axes: number }) =>
    `a tensor of ${axes} axes has more axes than there are names for`,
  shapes: ({ shapes }: { shapes: readonly (readonly number[])[] }) =>
    `the shapes ${shapes.map((shape) => `[${shape}]`).join(" and ")} do not fit`,
  attribute: ({ name, value }: { name: string; value: string }) => `${name} = ${value} is not supported`,
  "attribute unknown": ({ name }: { name: string }) => `its attribute ${name} is not known in this opset`,
  "attribute missing": ({ name }: { name: string }) => `its attribute ${name} is missing`,
  axis: ({ axis, axes }: { axis: number; axes: number }) => `there is no axis ${axis} among ${axes}`,
  index: ({ index, size }: { index: number; size: number }) =>
    `its index ${index} is not within an axis of ${size}`,
  output: ({ position }: { position: number }) => `its output ${position + 1} is not supported`,
  "data-dependent": "the shape of its result depends on the values of its input",
  random: "it draws random numbers in an order of its own",
  training: "it is in training mode",
  sequence: "it makes a sequence, and all values of this language are tensors",
  text: "it works on texts, and all values of this language are numbers",
  "control flow": "which of its graphs runs, or how often, depends on the values of its input",
  "many duplicates": "it has more elements than can be compared with each other",
  "unknown value": ({ name }: { name: string }) => `nothing before it makes its input ${name}`,
};

export type Refusal = Phrase<typeof refusals>;

export const refusalText = phrases(refusals);

/** Ends the import of a node; the importer turns it into a problem that names the node. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    /** Inputs of the graph whose values would have to be constant. */
    readonly bind: readonly string[] = [],
  ) {
    super(refusalText(refusal));
  }
}
