import { requireList } from "../../language/source/arguments.js";
import { escapeHidden, visibleJson } from "../../language/source/hidden-characters.js";
import { keysOf } from "../../language/source/lists.js";
import { checkCallOptions, type OptionRules, oneOf } from "../../language/source/option-rule.js";
import { requireTensor } from "../../language/values/arguments.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";
import { csvText } from "../csv/write.js";
import { tensorJson } from "./json.js";
import { markdownText } from "./markdown.js";
import { type PrettyOptions, prettyRules, prettyText } from "./pretty.js";
import { tableText } from "./table.js";

/** The ways to show a tensor, by name. */
const formats = {
  pretty: prettyText,
  literal: (tensor: Tensor) => (tensor.type.isScalar ? numberText(tensor.asNumber()) : `${tensor}`),
  json: (tensor: Tensor) => visibleJson(tensorJson(tensor)),
  csv: csvText,
  markdown: markdownText,
  table: tableText,
} as const satisfies Readonly<Record<string, (tensor: Tensor, options: PrettyOptions) => string>>;

/** The name of a way to show tensors. */
export type FormatName = keyof typeof formats;

/** The names of all ways to show tensors. */
export const formatNames = keysOf(formats);

/** Options of `showTensor`. */
export interface ShowTensorOptions extends PrettyOptions {
  /** `literal` unless given. Only `pretty` minds the width and has colours. With `colour`, all formats are for terminals: what
   * these would obey is escaped. */
  readonly format?: FormatName | undefined;
}

const showRules: OptionRules<ShowTensorOptions> = { ...prettyRules, format: oneOf(formatNames) };

/** A tensor as text of one line or several, without a line break at its end. */
export function showTensor(tensor: Tensor, displayed: ShowTensorOptions = {}): string {
  requireTensor("showTensor", tensor);
  checkCallOptions("showTensor", displayed, showRules);
  const { format = "literal", ...options } = displayed;
  const text = formats[format](tensor, options);
  return options.colour === true && format !== "pretty" ? escapeHidden(text) : text;
}

/** Several tensors as one text, one below the other, with a blank line around those that take more than one line. */
export function showTensors(tensors: readonly Tensor[], options: ShowTensorOptions = {}): string {
  requireList("showTensors", tensors);
  const texts = tensors.map((each) => showTensor(each, options));
  const isLong = (at: number): boolean => texts[at]?.includes("\n") === true;
  return texts.map((text, at) => (at > 0 && (isLong(at - 1) || isLong(at)) ? `\n${text}` : text)).join("\n");
}
