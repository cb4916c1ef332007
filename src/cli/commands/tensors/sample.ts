import { type Command, Option } from "commander";
import {
  type JsonForm,
  jsonForms,
  jsonFormsOf,
  sampleTensor,
  type Tensor,
  visibleJson,
  writeTensor,
} from "../../../index.js";
import { requireForm } from "../../options/output.js";
import { exit, failed } from "../../terminal/failure.js";
import { type Io, write } from "../../terminal/io.js";

/** `sphex sample TYPE`: an example of a type, in each form that it has in JSON. */
export function addSample(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("sample")
    .description("print an example of a tensor type in each of its JSON forms")
    .argument("<type>", "the type, such as 'tensor<float>(k{},x[2])'")
    .addOption(new Option("--form <name>", "only this form, by itself").choices(jsonForms))
    .option("--json", "write one object, by the names of the forms")
    .addHelpText("after", example)
    .action(async (type: string, flags: SampleFlags) => finish(await sample(type, flags, io)));
}

interface SampleFlags {
  readonly form?: JsonForm;
  readonly json?: boolean;
}

async function sample(type: string, { form, json = false }: SampleFlags, io: Io): Promise<number> {
  try {
    const tensor = sampleTensor(type);
    if (form !== undefined) requireForm(form, tensor.type);
    const forms = form === undefined ? jsonFormsOf(tensor.type) : [form];
    await write(
      io.stdout,
      json ? object(tensor, forms) : form === undefined ? list(tensor, forms) : jsonLine(tensor, form),
    );
    return exit.fine;
  } catch (error) {
    return await failed(error, { json }, io);
  }
}

/** A line of JSON with its end. */
const jsonLine = (tensor: Tensor, form: JsonForm): string => `${writeTensor(tensor, "json", { form })}`;

const list = (tensor: Tensor, forms: readonly JsonForm[]): string =>
  forms.map((form) => `${form}:\n${jsonLine(tensor, form)}`).join("\n");

const object = (tensor: Tensor, forms: readonly JsonForm[]): string =>
  `{${forms.map((form) => `${visibleJson(form)}:${jsonLine(tensor, form).trimEnd()}`).join(",")}}\n`;

const example = `
Forms:
  cells, short-cells, values, blocks    as a member of that name: {"values":[1.0,2.0]}
  values-hex, blocks-hex                the same, with cells as hexadecimal digits
  direct, direct-cells, direct-hex      without an object around
  typed, typed-cells, typed-hex         with the type beside the cells

A type has some of them, and Vespa reads each; of a type with an open size it
reads only cells, direct-cells and typed-cells.

Example:
  $ sphex sample 'tensor<float>(k{},x[2])' --form blocks
  {"blocks":{"a":[1.0,2.0],"b":[3.0,4.0]}}`;
