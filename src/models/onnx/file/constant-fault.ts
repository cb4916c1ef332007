import { counted } from "../../../language/source/message.js";
import { type Phrase, phrases } from "../../../language/source/phrase.js";

/** Why a tensor in a file cannot be a constant. */
const faults = {
  "element type": ({ name }: { name: string }) => `elements of type ${name} are not numbers of this language`,
  sizes: ({ sizes }: { sizes: readonly number[] }) => `[${sizes}] are not valid sizes`,
  length: ({ found, expected }: { found: number; expected: number }) =>
    `it has ${counted(found, "element")}, not ${expected}`,
  location: ({ location }: { location: string }) => `${location} is not a path to a file beside the model`,
  external: ({ location, reason }: { location: string; reason: string }) =>
    `its file ${location} cannot be read: ${reason}`,
  bytes: () => "the bytes of its file were transferred to another thread",
  part: ({ location }: { location: string }) => `its file ${location} has fewer bytes`,
};

export type ConstantFault = Phrase<typeof faults>;

export const constantFaultText = phrases(faults);

/** A tensor that cannot be read. */
export class UnreadableTensor extends Error {
  constructor(
    readonly tensor: string,
    readonly fault: ConstantFault,
  ) {
    super(constantFaultText(fault));
  }
}
