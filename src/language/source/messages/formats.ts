import { error } from "./row.js";

/** What can be wrong with files of tensors. */
export const formatMessages = {
  "bytes/shape": error((values: { offset: number; found: string; wanted: string }) => ({
    says: `at byte ${values.offset} there must be ${values.wanted}`,
    found: values.found,
    wanted: values.wanted,
  })),
  "bytes/text": error(({ format }: { format: string }) => ({
    says: `${format} is a format of bytes`,
    found: "a text",
    wanted: "an array of bytes",
  })),
  "bytes/array": error((values: { found: string; wanted: string; hint: string | undefined }) => ({
    says: `this archive has ${values.found}`,
    found: values.found,
    wanted: values.wanted,
    hint: values.hint,
  })),
  "csv/shape": error((values: { found: string; wanted: string }) => ({
    says: `this must be ${values.wanted}`,
    found: values.found,
    wanted: values.wanted,
  })),
  "format/no-type": error(({ format }: { format: string }) => ({
    says: `${format} does not say the type of its tensor`,
    found: "no type",
    wanted: "a type",
    hint: "say it beside the cells, or give it with the file",
  })),
  "format/cannot-hold": error((values: { format: string; type: string; wanted: string }) => ({
    says: `${values.format} cannot hold this tensor of type ${values.type}`,
    found: values.type,
    wanted: values.wanted,
  })),
};
