import type { Builder, Definition, LambdaParameter } from "../builder.js";
import { type Expression, respelt, textOf } from "../expression.js";

/** What a function leaves to its callers: dimensions, sizes, cell types, aggregators and lambdas in its body. */

/** Words that a parameter may stand for. */
const words: readonly RegExp[] = [
  /\b(?:[xyzkjB]|a1)\b/g,
  /(?<=\w\[)\d+(?=\])/g,
  /\b(?:float|int8|bfloat16)\b/g,
  /(?<=, )(?:sum|avg|max|min|prod|median)(?=[,)])/g,
];

/** A function that has parameters for some of what is in its body. */
export function generalised(definition: Definition, builder: Builder): Definition {
  const { choice } = builder;
  let { body, typeParameters } = definition;
  const lambdas: LambdaParameter[] = [];
  if (choice.percent(75)) body = withoutLambdas(body, lambdas, builder);
  for (const word of choice.some(words, 25)) {
    const found = [...new Set([...textOf(body).matchAll(word)].map(([text]) => text))];
    if (found.length === 0) continue;
    const parameter = { name: builder.fresh("w"), argument: choice.oneOf(found) };
    body = respelt(body, (text) =>
      text.replace(word, (each) => (each === parameter.argument ? parameter.name : each)),
    );
    typeParameters = [...typeParameters, parameter];
  }
  return { ...definition, body, lambdas, typeParameters };
}

const formsWithLambdas = new Set(["map", "join", "merge", "call"]);

/** The expression with parameters instead of some lambdas of scalars, which every call passes for itself. */
function withoutLambdas(expression: Expression, lambdas: LambdaParameter[], builder: Builder): Expression {
  const parts = expression.parts.map((part) => {
    const mayLeave = part.form === "lambda" && formsWithLambdas.has(expression.form);
    if (!mayLeave || builder.choice.percent(15)) return withoutLambdas(part, lambdas, builder);
    const arity = part.words.join("").split(")", 1).join("").split(",").length;
    const alike = lambdas.filter((each) => each.arity === arity);
    const parameter =
      alike.length > 0 && builder.choice.percent(30)
        ? builder.choice.oneOf(alike)
        : { name: builder.fresh("l"), arity };
    if (!lambdas.includes(parameter)) lambdas.push(parameter);
    return builder.reference({ name: parameter.name, type: part.type });
  });
  return { ...expression, parts };
}
