import {
  alternatives,
  counted,
  didYouMean,
  enumeration,
  error,
  quoted,
  warning,
} from "../../source/message.js";
import type { TensorType } from "../../types/type.js";

interface Named {
  readonly name: string;
}

interface Called extends Named {
  /** How it is called: `ranker(pixels, mask).scores`. */
  readonly signature: string;
}

interface UnequalSizes extends Named {
  readonly first: string;
  readonly before: number;
  readonly second: string;
  readonly size: number;
}

/** What can be wrong with models that a program names, and with calls of them. */
export const modelMessages = {
  "model/value": error(({ name }: Named) => ({
    message: `the model ${name} must be a file`,
    found: "another expression",
    expected: `model ${name} = file("…")`,
  })),
  "model/no-port": error(
    (values: Named & { port: string; nearest: string | undefined; ports: readonly string[] }) => ({
      message: `${values.name} has no input or output ${quoted(values.port)}`,
      expected: alternatives(shortened(values.ports)),
      hint: didYouMean(values.nearest),
    }),
  ),
  "model/axes": error(({ port, type, names }: { port: string; type: TensorType; names: number }) => ({
    message: `${port} has ${counted(type.rank, "dimension")}`,
    found: counted(names, "name"),
    expected:
      type.rank === 0 ? "none, since it is a number" : `a name for each dimension of ${type}, in their order`,
  })),
  "model/axis-twice": error(({ port, axis }: { port: string; axis: string }) => ({
    message: `two dimensions of ${port} are called ${axis}`,
    expected: "different names",
  })),
  "model/port-twice": error(({ port }: { port: string }) => ({
    message: `the dimensions of ${port} are named twice`,
    expected: "one list of names",
  })),
  "model/no-reader": error(({ path }: { path: string }) => ({
    message: "models cannot be read here",
    found: `file(${JSON.stringify(path)})`,
    expected: "a host that provides models and readBytes",
  })),
  "model/uncalled": error(({ name, signature }: Called) => ({
    message: `${name} is a model, not a value`,
    found: "its name alone",
    expected: signature,
  })),
  "model/outputs": error(({ name, outputs }: Named & { readonly outputs: readonly string[] }) => ({
    message: `${name} has ${counted(outputs.length, "output")}, and the call does not say which one is meant`,
    found: "no output",
    expected: alternatives(shortened(outputs.map((each) => `.${each}`))),
  })),
  "model/output": error(
    (values: Named & { output: string; nearest: string | undefined; outputs: readonly string[] }) => ({
      message: `${values.name} has no output ${quoted(values.output)}`,
      expected: alternatives(shortened(values.outputs)),
      hint: didYouMean(values.nearest),
    }),
  ),
  "model/unknown-input": error(
    ({ name, input, nearest, signature }: Called & { input: string; nearest: string | undefined }) => ({
      message: `${name} has no input ${quoted(input)}`,
      expected: signature,
      hint: didYouMean(nearest),
    }),
  ),
  "model/arguments": error(({ name, count, signature }: Called & { readonly count: number }) => ({
    message: `${name} takes ${counted(count, "input")}, and this argument is one too many`,
    expected: signature,
  })),
  "model/missing": error(
    ({ name, missing, signature }: Called & { readonly missing: readonly string[] }) => ({
      message: `${name} lacks ${missing.length === 1 ? "its input" : "its inputs"} ${enumeration(shortened(missing))}`,
      expected: signature,
    }),
  ),
  "model/twice": error(({ name, input }: Named & { readonly input: string }) => ({
    message: `the input ${input} of ${name} is given twice`,
    expected: "one argument for each input",
  })),
  "model/type": error((values: Named & { input: string; type: TensorType; expected: TensorType }) => ({
    message: `the input ${values.input} of ${values.name} cannot be a tensor of this type`,
    found: `${values.type}`,
    expected: `${values.expected}, whose dimensions may have other names`,
  })),
  "model/vector": error(({ name, type, count }: Named & { type: TensorType; count: number }) => ({
    message: `this tensor does not have exactly one cell for each input of ${name}`,
    found: `${type}`,
    expected: `${count} cells along its dimension`,
  })),
  "model/unordered": warning(({ name, signature }: Called) => ({
    message: `the file of ${name} does not say in which order the data had its inputs`,
    found: "values by position",
    expected: "the names of the inputs, or of the labels of a tensor",
    hint: `the values are taken in the order of ${signature}`,
  })),
  "model/text": error(({ name }: Named) => ({
    message: `${name} is a tokenizer, and takes a text`,
    expected: `${name}("a text") or ${name}("a text", 128), padded to that length`,
  })),
  "model/failed": error(({ name, reason }: Named & { readonly reason: string }) => ({
    message: `${name} failed: ${reason}`,
    found: "an error of the runtime that computes it",
    expected: "a value",
  })),
  "model/output-size": error((values: Named & { output: string; size: string }) => ({
    message: `the size ${quoted(values.size)} of the output ${values.output} of ${values.name} is not a size of any of its inputs`,
    found: "a size that is known only when the model runs",
    expected: "a number, or the name of a size of an input, in the file of the model",
  })),
  "model/output-shape": error(
    ({
      name,
      output,
      type,
      expected,
    }: Named & { output: string; type: TensorType; expected: TensorType }) => ({
      message: `the output ${output} of ${name} has another shape here than its file says`,
      found: `${type}`,
      expected: `${expected}`,
      hint: "declare the inputs of the program with their sizes: then no shape is asked of the file",
    }),
  ),
  "model/sizes": error(({ name, first, before, second, size }: UnequalSizes) => ({
    message: `${first === second ? `the input ${first} has` : `the inputs ${first} and ${second} have`} different sizes for ${quoted(name)}`,
    found: first === second ? `${before} and ${size} in one input` : `${before} and ${size}`,
    expected: "the same size",
  })),
};

const mostListed = 10;

/** All names, or the first of many and how many there are besides. */
const shortened = (names: readonly string[]): readonly string[] =>
  names.length > mostListed
    ? [...names.slice(0, mostListed), counted(names.length - mostListed, "other")]
    : names;

export type ModelMessages = typeof modelMessages;
