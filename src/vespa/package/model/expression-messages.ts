import { error, type NoValues, quoted, shortened, warning } from "../../../language/source/message.js";
import type { TensorType } from "../../../language/types/type.js";

/** What a field must be that a feature is about. One that has an index is no attribute to features of these alone. */
export type FieldKind =
  | "field"
  | "index field"
  | "index field of one value"
  | "attribute"
  | "attribute without index"
  | "attribute of no tensor";

/** What can be wrong with the expressions of rank profiles as Vespa reads them: its parser, and its content nodes. */
export const expressionMessages = {
  "portability/signs": error(({ signs }: { signs: string }) => ({
    message: "Vespa drops the parentheses between signs, and cannot read what is left",
    found: quoted(signs),
    expected: "one sign, or !-",
    hint: "write -(-a) as a, !(!a) as a != 0, and -(!a) as 0 - !a",
  })),
  "portability/alias": warning(({ name, type }: { name: string; type: TensorType }) => ({
    message: `Vespa takes rankingExpression(${name}) for a number when it checks types, but it is a ${type}`,
    found: `rankingExpression(${name})`,
    expected: quoted(name),
  })),
  "portability/loop": error(({ call }: { call: string }) => ({
    message: `Vespa takes ${call} for a call of itself: a call with the same text is among the functions that lead here`,
    found: quoted(shortened(call)),
    expected: "functions whose parameters have names of their own",
  })),
  "portability/index": error(({ function: name, index }: { function: string; index: string }) => ({
    message: `Vespa's engines do not know the index ${index} in an argument of ${name}: each call is a function of its own there`,
    found: quoted(index),
    expected: `what ${name} does, written in the generator`,
  })),
  "portability/index-name": error(({ function: name, index }: { function: string; index: string }) => ({
    message: `in a generator over ${index} Vespa passes nothing for the parameter ${index} of ${name}`,
    found: `a dimension and a parameter ${quoted(index)}`,
    expected: "another name for one of them",
  })),
  "portability/container-function": error(({ name, instead }: { name: string; instead: string }) => ({
    message: `Vespa's content nodes do not have the function ${name}: only a global phase can call it`,
    found: name,
    expected: "a function that content nodes have",
    hint: `write ${instead}`,
  })),
  "portability/index-label": error(({ index }: { index: string }) => ({
    message: `Vespa deploys this slice with the label ${index}, and not with the index that ${index} is`,
    found: quoted(`[${index}]`),
    expected: quoted(`[(${index})]`),
  })),
  "portability/lambda-slice": error((_: NoValues) => ({
    message: "Vespa's content nodes do not read a slice without the name of its dimension in a lambda",
    found: "a short slice",
    expected: "the dimension before the index, such as t{x:1} or t{x:(i)}",
  })),
  "portability/parameter": warning(
    ({ function: name, parameter }: { function: string; parameter: string }) => ({
      message: `within a function of tensors Vespa takes ${parameter} in ${name} for the caller's parameter of that name`,
      found: `another value for ${quoted(parameter)}`,
      expected: `another name for the parameter of ${name}, or of the caller`,
    }),
  ),
  "portability/behind-list": error(({ next }: { next: string }) => ({
    message: "Vespa reads nothing after an `in` list, and drops the parentheses around it in a phase",
    found: quoted(next),
    expected: "a list at the end of its expression",
    hint: "write if(a in [1], 1, 0) for a in [1]",
  })),
  "portability/comment": error((_: NoValues) => ({
    message: "Vespa has no comments that begin with //",
    found: "//",
    expected: "a comment that begins with #, on a line of its own",
  })),
  "portability/empty-list": error((_: NoValues) => ({
    message: "Vespa does not read an `in` list without an item",
    found: "no item",
    expected: "at least one item: in [1]",
  })),
  "portability/integer": error(({ text }: { text: string }) => ({
    message: "Vespa reads whole numbers of at most 64 bits",
    found: quoted(shortened(text)),
    expected: `a number with a point: ${quoted(shortened(`${text}.0`))}`,
  })),
  "feature/field-kind": error(({ field, type, kind }: { field: string; type: string; kind: FieldKind }) => ({
    message: `Vespa's content nodes refuse this feature of the field ${field}`,
    found: `${quoted(field)} of type ${type}`,
    expected: `an ${kind}`,
  })),
  "feature/foreach": error((values: { feature: string; variable: string; field: string; type: string }) => ({
    message: `Vespa's content nodes compute ${values.feature} for each ${values.variable}, and refuse it of the field ${values.field}`,
    found: `${quoted(values.field)} of type ${values.type}`,
    expected: "a feature that is a number, whatever the field",
  })),
  "field/member-attribute": error(({ field, type }: { field: string; type: string }) => ({
    message: `${field} cannot be an attribute`,
    found: `a member of ${type}`,
    expected:
      "a byte, int, long, float, double or string that is a member of an array of structs, the key or value of a map, or a member of a value",
  })),
};
