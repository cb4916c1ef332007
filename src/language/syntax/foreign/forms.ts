import { barred } from "./bars.js";
import { separatesByCommas, separatesBySemicolons } from "./brackets.js";
import {
  interactiveMessage,
  matricesMessage,
  nameObjective,
  objective,
  shapeHint,
  shapeMessage,
  signOfZero,
} from "./calls.js";
import {
  areForeignCases,
  choice,
  lacksDefault,
  lacksElse,
  switchedByTurns,
  switchedInBraces,
  switchedInParentheses,
  switchHint,
  switchMessage,
  unfinished,
} from "./choices.js";
import {
  isMistypedType,
  isRole,
  numberType,
  respelt,
  respeltType,
  tensorType,
  withType,
} from "./declarations.js";
import { endsOperand, lexemesOf } from "./lexemes.js";
import {
  adviceOf,
  commonFunctions,
  endsName,
  method,
  ofLibrary,
  reductions,
  selected,
  transposed,
  wordOf,
} from "./library-calls.js";
import { addressed, mappedType, nested, rowsIn, sizedBy, tensorOf } from "./lists.js";
import { betweenQuotes, typeset } from "./mathematics.js";
import { decimal, decimalHint, decimalMessage, endsInNumber, mayBeThousands } from "./numbers.js";
import { areFunctions, piped, pipedByPercent, pipeHint } from "./pipes.js";
import { power, raised, signedPower } from "./powers.js";
import { juxtaposed, productMessage } from "./products.js";
import { counted, endsWithIndex, range, rangeHint } from "./ranges.js";
import { type Captures, filled, Template } from "./template.js";

/** What to write instead, by what the holes of a template took, and the texts after the whole and before it. */
type Instead = (captures: Captures, behind: string, before: string) => string | undefined;

/** What the holes must have taken besides, and what must stand before the whole and after it. */
type Applies = (captures: Captures, before: string, behind: string) => boolean;

/** Something that another language, or another library, has a form for. */
export interface ForeignForm {
  readonly template: Template;
  /** One sentence. */
  readonly message: string;
  /** Nothing where only the writer knows. */
  readonly write: Instead | undefined;
  /** What to do where there is nothing to write instead. */
  readonly hint: ((captures: Captures) => string) | undefined;
  /** Whether a statement must begin with it. */
  readonly begins: boolean;
  readonly applies: Applies | undefined;
  /** Whether it is not an operand where it stands, so that what is written instead is never put in parentheses. */
  readonly isOpen: boolean;
}

/** Forms, a template of each, and what is written in their place: a template, or a function. */
interface FormRow {
  readonly of: readonly string[];
  readonly is?: string | Instead;
  readonly message: string;
  readonly hint?: string | ((captures: Captures) => string);
  readonly begins?: true;
  readonly open?: true;
  readonly applies?: Applies;
}

const list = ({ L = "" }: Captures, behind: string): string | undefined => tensorOf(L, behind);
const curly = ({ K = "" }: Captures): string => `"${K.slice(1, -1)}"`;
/** `.5`, and not what stands after the point of `1.5`. */
const pointed = ({ N }: Captures, _: string, before: string): string | undefined =>
  /[\w)\]}]$/.test(before) ? undefined : `0.${N}`;
/** `[1 2 3]`, numbers with nothing between them, and `[1, 2; 3, 4]`, rows of numbers. */
const spaced = ({ S = "" }: Captures, behind: string, before: string): string | undefined => {
  const matrix = rowsIn(S);
  if (matrix !== undefined) return before.trimEnd().endsWith(":") ? matrix : tensorOf(matrix, behind);
  const words = S.trim().split(/\s+/);
  return words.length > 1 && words.every((each) => each !== "" && !Number.isNaN(Number(each)))
    ? tensorOf(`[${words.join(", ")}]`, behind)
    : undefined;
};
/** `a++` as a whole statement. */
const counting = ({ X }: Captures, behind: string): string | undefined =>
  behind.trim() === "" ? `new_${X} = ${X} + 1` : undefined;
/** `|a|`, unless more is written right after it, as in `|a|b|c|`. */
const betweenBars = ({ "‖": bars = "" }: Captures, behind: string): string | undefined =>
  /^[\w(]/.test(behind) ? undefined : barred(lexemesOf(bars), 0)?.written;
const isAbsolute = ({ "‖": bars = "" }: Captures): boolean =>
  barred(lexemesOf(bars), 0)?.written.startsWith("abs") === true;
/** Whether an operator of two operands may stand there. */
const isBehindOperand = (_: Captures, before: string): boolean => endsOperand(lexemesOf(before).at(-1));
/** `2(a)` and `2.5(a)`, which bind tighter than a quotient. */
const factored = ({ N = "", M, A = "" }: Captures, behind: string, before: string): string | undefined =>
  endsInNumber(before)
    ? undefined
    : juxtaposed(M === undefined ? N : `${N}.${M}`, `(${A})`, before, behind).replacement;
const functionOf = ({ X, S = "", A }: Captures): string => `${X}${S === "" ? "" : `(${S})`} = ${A}`;
const emptyMap = ({ V = "", S }: Captures): string | undefined => {
  const type = mappedType(V);
  return type && `${type}:{${S}}`;
};
/** What a lambda without a name computes, by its parameter. */
const mentionsParameter = ({ X = "", A = "" }: Captures): boolean =>
  lexemesOf(A).some(({ text }) => text === X);
/** `sqrt a`, and not `var a = 2`. */
const called = ({ X, Y }: Captures, behind: string): string | undefined =>
  /^\s*=(?!=)/.test(behind) ? undefined : `${X}(${Y})`;
/** How tightly an exclusive or binds beside an and or an or, languages differ about. */
const areTests = ({ A, B }: Captures): boolean =>
  !lexemesOf(`${A} ${B}`).some(({ text }) => /^(?:and|or|xor|AND|OR|XOR|&&?|\|\|?)$/.test(text));
const areNames = (text: string): boolean => /^\s*[A-Za-z_]\w*\s*(?:,\s*[A-Za-z_]\w*\s*)*$/.test(text);
const addressNames = "an address names its dimensions: write theirs for x and y";
const sharedDimension =
  "give both a name, and write matmul(left, right, x), with the name of the dimension for x";
const accumulated = "a name keeps its value: give the new value a name of its own";
const asCall = "a choice is written as a call: if(condition, then, otherwise)";
const lambda = "a lambda is written f(parameters)(body)";
const alone =
  "a lambda is an argument, as in map(t, f(X)(A)); a function with a name is defined: NAME(X) = A";
const notEqual = '"not equal" is written !=';
const definition = "a definition is a name, its parameters, and = before its value";
const literal = "a list is not a tensor by itself: its type stands before it";
const cells = "the cells of a tensor stand in brackets after its type and a colon";
const functions = "functions are called by their names alone, with the tensor as the first argument";
const afterType = "the cells of a tensor stand after its type";
/** Words before a declaration that has a type and a value. */
const declared = "an input is declared with the word input, and a colon before its type";
const schema = "this is the text of a Vespa schema, not a program";
const checkSchema = "check it where it is: sphex check FILE.sd, or the folder of its application package";
const noLoops = "there are no loops: operators and functions apply to all cells at once";
const pointless = "operators work cell by cell, without a point before them";
const sums = "a sum over a dimension is written as a call";
const orderless = "dimensions have names here, and no order: there is nothing to transpose";
const typeWord = "the type of a tensor begins with the word tensor";
const numpy = ["np", "numpy", "torch", "tf", "jnp"];
const parts = [
  "tf . nn",
  "tf . math",
  "torch . nn . functional",
  "torch . special",
  "scipy . special",
  "nn",
  "np . linalg",
  "jax . nn",
  "jax . numpy",
];
/** What a function may stand behind, with a dot between them. */
const receivers = ["X ( … )", "X", "V : L", "( … )"];
const libraries = [...numpy, "math", "Math", ...parts];

/**
 * What other languages write otherwise. The first row whose form is around a mistake, and whose replacement the parser
 * takes, is the answer.
 */
// biome-ignore format: a table
const rows: readonly FormRow[] = [
  // Programs of other kinds.
  { begins: true, of: ["schema X {", "document X {", "rank - profile X {", "first - phase {", "field X type", "search X {"], message: schema, hint: checkSchema },
  { begins: true, of: ["SELECT X ( Y ) FROM Z", "select X ( Y ) from Z"], is: selected, message: "this is SQL: here a function is called with the tensor and the dimension" },
  { begins: true, of: ["SELECT", "select"],                message: "this is SQL, not an expression", hint: "a reduction is a call such as sum(t, x), a selection a slice such as t{x:a}" },
  { begins: true, of: ["{ Q :"],                           message: "this is JSON, not an expression", hint: "give it to an input, as in --set 'q=@FILE.json'" },
  { begins: true, of: ["import", "from X import", "# include"], message: "nothing has to be imported: all functions are available", hint: "leave this statement out" },
  { begins: true, of: ["for", "while"],                    message: noLoops, hint: "to compute a cell for each index, write tensor(x[3])(x + 1)" },
  { begins: true, of: ["return A"],           is: "A",     message: "an expression is a result by itself" },

  { begins: true, of: ["minimise X", "minimize X"].flatMap((each) => ["( S )", "+ A", "- A", "* A", "/ A", "^ A"].map((sign) => `${each} ${sign}`)), message: objective, hint: nameObjective },
  { begins: true, of: ["minimize X"],         is: "minimise X", message: "this word is spelt minimise here" },
  { begins: true, of: ["maximise X", "maximize X"],        message: "training makes a scalar smaller", hint: "write loss = -(…), and then minimise loss" },

  ...["help", "type", "explain", "why", "plot", "load"].map((name): FormRow => ({ begins: true, of: [`${name} X`], message: interactiveMessage, hint: `write .${name} X` })),

  { begins: true, of: ["= A"],                is: "A",       message: "an expression stands by itself, without = before it" },

  // Definitions and declarations.
  { begins: true, of: ["def X ( S ) : return A", "function X ( S ) { return A }", "function X ( S ) { expression : A }", "function X ( S ) = A", "def X ( S ) = A", "fn X ( S ) = A", "func X ( S ) = A", "fun X ( S ) = A", "def X ( S ) : A"], is: functionOf, message: definition },
  { begins: true, of: ["X = lambda Y : A", "let X = Y => A", "const X = Y => A", "X = Y => A"], is: "X(Y) = A", message: definition },
  { begins: true, of: ["X = lambda Y , Z : A"], is: "X(Y, Z) = A", message: definition },
  { begins: true, of: [...["", "let ", "const ", "var "].flatMap((word) => [`${word}X = ( S ) => A`, `${word}X = ( S ) -> A`, `${word}X = function ( S ) { return A }`]), "X = function ( S ) A", "X = \\ ( S ) A", "X = f ( S ) ( A )"], is: functionOf, applies: ({ S = "" }) => S === "" || areNames(S), message: definition },
  { begins: true, of: ["let X = A", "const X = A", "var X = A", "val X = A", "def X = A", "set X = A", "auto X = A"], is: "X = A", message: definition },
  { begins: true, of: ["X ( S ) := A", "X ( S ) -> A"], is: "X(S) = A", message: definition },
  { begins: true, of: ["lambda X : A", "X -> A", "( X ) => A", "( X ) -> A", "function ( X ) { return A }", "function ( X ) { A }", "function ( X ) A", "\\ ( X ) A", "\\ X -> A"], message: lambda, hint: alone },
  { begins: true, of: ["X => A"],             message: lambda, hint: alone, applies: mentionsParameter },
  { begins: true, of: ["X := A"],             is: "X = A", message: definition },
  ...["+", "-", "*", "/"].map((sign): FormRow => ({ begins: true, of: [`X ${sign}= A`], is: `new_X = X ${sign} A`, message: accumulated })),
  { begins: true, of: ["X + +"],              is: counting, message: accumulated },
  { begins: true, of: ["X : V : S", "X : V = S"], is: "X = V:S",   message: "a value is named with =, and its cells follow its type and a colon" },
  { begins: true, of: ["X Y : V = { S }"], is: "X Y: V = V:{S}", message: afterType, applies: isRole },
  { begins: true, of: ["X Y : V = L"],        is: "X Y: V = V:L",  message: afterType, applies: isRole },
  { begins: true, of: ["X Y : Z ( S )"],      is: (c) => withType(c, tensorType(c)), message: typeWord, applies: isRole },
  { begins: true, of: ["X Y : Z"],            is: (c) => withType(c, numberType(c)), message: "a number is a tensor without dimensions", applies: isRole },
  { begins: true, of: ["X Y , Z : V"],        is: "X Y: V; X Z: V", message: "each name has a declaration of its own", applies: isRole },
  { begins: true, of: ["input X = V"],        is: "input X: V", message: "a : stands between a declared name and its type" },
  { begins: true, of: ["X Y : V", "X Y : V = A", "X Y = A"], is: respelt, message: "a declaration begins with input, constant, variable or persistent" },
  { begins: true, of: ["input X V", "X V", "X : V"], is: "input X: V", message: declared },
  { begins: true, of: ["input X ( Y ) V", "X ( Y ) V", "X ( Y ) : V"], is: "input X(Y): V", message: declared },
  { begins: true, of: ["X : A"],              is: "X = A", message: "a value is named with =" },

  // Choices and logic.
  { of: ["if ( C ) { A } else { B }", "if C : A else : B", "CASE WHEN C THEN A ELSE B END", "case when C then A else B end"], is: choice, message: asCall },
  { of: ["if ( C ) { A } else E", "if ( C ) then A else E", "if ( C ) A else E", "if C then A else E", "A if C else E", "C ? A : E"], is: choice, message: asCall },
  { begins: true, of: ["if ( C ) : A", "if ( C ) then A", "if ( C ) { A }", "if C : A", "if C then A", "if ( C ) A"], applies: lacksElse, message: asCall, hint: unfinished },
  { of: ["switch ( A ) { S }"],               is: switchedInBraces, applies: areForeignCases, message: switchMessage },
  { of: ["switch ( A ) { S }"],               applies: lacksDefault, message: switchMessage, hint: switchHint },
  { of: ["switch X { S }", "match ( A ) { S }", "match X { S }", "when ( A ) { S }"], is: switchedInBraces, message: switchMessage },
  { of: ["switch ( S )"],                     is: switchedInParentheses, message: switchMessage },
  { of: ["SWITCH ( S )"],                     is: switchedByTurns, message: switchMessage },
  { of: ["switch ( S )", "SWITCH ( S )"],     message: switchMessage, hint: switchHint },
  { of: ["U not in L"],                       is: "!(U in L)", message: '"not" is written !, before the whole test' },
  { of: ["in ( S )", "in { S }"],             is: "in [S]",  message: "a list of values is written in square brackets" },
  { of: ["‖"],                                is: betweenBars, applies: isAbsolute, message: "an absolute value is written abs" },
  { of: ["‖"],                                is: betweenBars, message: "a length is the square root of a sum of squares" },
  { of: ["A | > B"],                          is: piped,     message: functions },
  { of: ["A % > % B"],                        is: pipedByPercent, message: functions },
  { of: ["A | > B", "A % > % B"],             message: functions, hint: pipeHint },
  { of: ["A | B"],                            applies: areFunctions, message: functions, hint: pipeHint },
  { of: ["and", "AND", "&", "∧"],             is: "&&",      applies: isBehindOperand, message: '"and" is written &&' },
  { of: ["or", "OR", "|", "∨"],               is: "||",      applies: isBehindOperand, message: '"or" is written ||' },
  { of: ["not U", "NOT U", "¬ U"],            is: "!(U)",    message: '"not" is written !' },
  { of: ["==="],                              is: "==",      message: '"equal" is written ==' },
  { of: ["!==", "<>", "≠"],                   is: "!=",      message: notEqual },
  { of: ["rename ( A , X -> Y )", "rename ( A , X = Y )", "rename ( A , X : Y )"], is: "rename(A, X, Y)", message: "rename takes the old name and the new one as arguments" },
  { of: ["map ( X -> A , B )", "map ( X => A , B )", "map ( lambda X : A , B )"], is: "map(B, f(X)(A))", message: "map takes the tensor first, and a lambda is written f(parameters)(body)" },
  { of: [", X => A", ", ( X ) => A", ", X -> A", ", ( X ) -> A", ", lambda X : A", ", \\ X -> A", ", \\ ( X ) A", ", function ( X ) { return A }", ", function ( X ) { A }", ", function ( X ) A", ", | X | A"], is: ", f(X)(A)", message: lambda },
  { of: [", ( X , Y ) => A", ", ( X , Y ) -> A", ", lambda X , Y : A", ", \\ ( X , Y ) A", ", function ( X , Y ) { return A }", ", function ( X , Y ) { A }", ", function ( X , Y ) A"], is: ", f(X,Y)(A)", message: lambda },
  { of: ["f ( X ) => A", "f ( X ) -> A"],     is: "f(X)(A)", message: lambda },
  { of: ["f ( X , Y ) => A", "f ( X , Y ) -> A"], is: "f(X,Y)(A)", message: lambda },
  { of: ["f ( X ) A"],                        is: "f(X)(A)", message: lambda, applies: ({ A = "" }) => !A.startsWith("(") },
  { of: ["X => A", "X -> A"],                 message: lambda, hint: "it stands behind a tensor, as in map(t, f(X)(A))", applies: mentionsParameter },
  { of: ["U is None", "U IS NULL", "U is null"], is: "isNan(U)", message: "what is missing is not a number, or is not there" },
  { of: ["is not"],                           is: "!=",      message: notEqual },
  { of: ["is"],                               is: "==",      message: '"equal" is written ==' },
  { of: ["mod"],                              is: "%",       message: "a remainder is written %" },
  { of: ["> ="],                              is: ">=",      message: '"at least" is written >=, without a space' },
  { of: ["< ="],                              is: "<=",      message: '"at most" is written <=, without a space' },
  { of: ["= ="],                              is: "==",      message: '"equal" is written ==, without a space' },
  { of: ["! ="],                              is: "!=",      message: '"not equal" is written !=, without a space' },
  { of: ["=>", "= >", "≥"],                   is: ">=",      message: '"at least" is written >=' },
  { of: ["= <", "≤"],                         is: "<=",      message: '"at most" is written <=' },

  // Numbers and operators.
  { of: [". N"],                              is: pointed,   message: "a number begins with a digit" },
  { open: true, of: ["- P ** G", "- P . ^ R", "- P ^ ^ R", "- P ^ { A }"], is: signedPower, message: "a power is written ^" },
  { of: ["**"],                               is: power,     message: "a power is written ^" },
  { of: ["P I", "I"],                         is: raised,    message: "a power is written ^" },
  { of: ["√ ( A )"],                          is: "sqrt(A)", message: "a root is written sqrt" },
  { of: ["√ R"],                              is: "sqrt(R)", message: "a root is written sqrt" },
  { of: ["×", "·", "∗", "⋅"],                 is: "*",       message: "a product is written *" },
  { of: ["÷"],                                is: "/",       message: "a quotient is written /" },
  { of: ["−", "–"],                           is: "-",       message: "a minus is written -" },
  { of: ["~ R"],                              is: ({ R }, _, before) => (/[\w)\]}"']\s*$/.test(before) ? undefined : `!${R}`), message: '"not" is written !' },
  { of: ["~"],                                is: "~=",      message: '"approximately equal" is written ~=' },
  { of: ["^ ^"],                              is: "^",       message: "a power is written ^" },
  { of: [". *"],                              is: "*",       message: pointless },
  { of: [". /"],                              is: "/",       message: pointless },
  { of: [". +"],                              is: "+",       message: pointless },
  { of: [". -"],                              is: "-",       message: pointless },
  { of: [". ^"],                              is: "^",       message: pointless },
  { of: ["^ { A }"],                          is: "^ (A)",   message: "parts of an expression are grouped by parentheses" },
  { of: ["\\ frac { A } { B }"],              is: "A / B", message: "a quotient is written /" },
  { of: ["\\ sqrt { A }"],                     is: "sqrt(A)", message: "a root is written sqrt" },
  { of: ["\\ sum_ { X = N } ^ { B } F", "\\ sum_ { X = N } ^ Y F", "\\ sum_ { X = N } ^ M F", "\\ sum_ { X } F"], is: "sum(F, X)", message: sums },
  { of: ["\\ X F"],                            is: typeset, message: sums },
  { of: ["\\ X ( S )"],                        is: "X(S)",    message: functions },
  { of: ["\\ cdot", "\\ times"],              is: "*",       message: "a product is written *" },
  { of: ["\\ leq", "\\ le"],                  is: "<=",      message: '"at most" is written <=' },
  { of: ["\\ geq", "\\ ge"],                  is: ">=",      message: '"at least" is written >=' },
  { of: ["\\ neq", "\\ ne"],                  is: "!=",      message: notEqual },
  { open: true, of: ["X Q"],                              is: betweenQuotes, message: orderless },
  { of: ["X '"],                              is: ({ X }, behind) => (/^\w/.test(behind) ? undefined : X), message: orderless },
  { of: ["( A ) '"],                          is: "(A)",     message: orderless },
  { of: ["D % / % H"],                        is: "floor(D / H)", message: "a whole quotient is the floor of a quotient" },
  { of: ["J << O"],                           is: "ldexp(J, O)", message: "to shift bits to the left is to multiply by a power of 2" },
  { of: ["J >> O"],                           is: "floor(ldexp(J, -O))", message: "to shift bits to the right is to divide by a power of 2" },
  { of: ["A xor B", "A XOR B"],               is: "!(A) != !(B)", applies: areTests, message: '"either or" compares two tests' },
  { of: ["A xor B", "A XOR B"],               hint: "write !(a) != !(b), and show by parentheses what a and b are", message: '"either or" compares two tests' },
  { of: ["count ( * )", "COUNT ( * )"],       message: "count gives the number of cells", hint: "write count(t), with the name of the tensor for t" },
  { of: ["D % * % H"],                        message: matricesMessage, hint: "write matmul(D, H, x), with the name of that dimension for x" },
  { of: ["D @ H"],                            message: matricesMessage, hint: ({ D, H = "" }) => (H.startsWith("tensor") ? sharedDimension : `write matmul(${D}, ${H}, x), with the name of that dimension for x`) },
  { open: true, of: ["N . M ( A )", "N ( A )"],              is: factored, message: productMessage },
  { begins: true, of: ["( A ) ( B )"],                      is: "(A) * (B)", message: productMessage },

  // Calls.
  { of: numpy.flatMap((np) => [`${np} . array ( L )`, `${np} . tensor ( L )`, `${np} . constant ( L )`, `${np} . array ( L , S )`]), is: list, message: literal },
  { of: ["tensor ( L )", "Tensor ( L )", "array ( L )", "vector ( L )", "list ( L )"], is: list, message: literal },
  { of: numpy.map((np) => `${np} . zeros ( N )`), is: "tensor(x[N])(0)", message: "a tensor is generated from its type and the value of each cell" },
  { of: ["zeros ( ( N , M ) )", ...numpy.map((np) => `${np} . zeros ( ( N , M ) )`)], is: "tensor(x[N],y[M])(0)", message: "a tensor is generated from its type and the value of each cell" },
  { of: ["ones ( ( N , M ) )", ...numpy.map((np) => `${np} . ones ( ( N , M ) )`)], is: "tensor(x[N],y[M])(1)", message: "a tensor is generated from its type and the value of each cell" },
  { of: ["console . log ( A )"],              is: "A",       message: "an expression is a result by itself" },
  { of: numpy.map((np) => `${np} . ones ( N )`), is: "tensor(x[N])(1)", message: "a tensor is generated from its type and the value of each cell" },
  { of: numpy.map((np) => `${np} . arange ( N )`), is: "range(N)", message: functions },
  { of: numpy.map((np) => `${np} . eye ( N )`), is: "diag(N, N)", message: functions },
  { of: numpy.flatMap((np) => [`${np} . X ( A , dim = N )`, `${np} . X ( A , axis = N )`]), message: "dimensions have names, and no numbers", hint: ({ X = "", A }) => `write ${wordOf[X] ?? X}(${A}, x), with the name of the dimension for x` },
  { of: ["Z . X ( A , dim = N )"],            applies: ({ Z }) => Z === "F", message: "dimensions have names, and no numbers", hint: ({ X = "", A }) => `write ${wordOf[X] ?? X}(${A}, x), with the name of the dimension for x` },
  { of: numpy.map((np) => `${np} . round ( A )`), is: "round_even(A)", message: "halves are rounded to even numbers by round_even, and away from 0 by round" },
  { of: [...numpy, "Math"].map((np) => `${np} . sign ( A )`), is: "(A > 0) - (A < 0)", message: signOfZero },
  { of: ["math . log ( A , B )"],             is: "log(A) / log(B)", message: "a logarithm to another base is a quotient" },
  { of: ["Math . round ( A )"],               is: "floor(A + 0.5)", message: "halves are rounded away from 0 by round, and not up" },
  { of: numpy.flatMap((np) => [`${np} . mod ( A , B )`, `${np} . remainder ( A , B )`]), is: "A - B * floor(A / B)", message: "here a remainder has the sign of the dividend" },
  { of: numpy.flatMap((np) => [`${np} . argmax ( S )`, `${np} . argmin ( S )`]), message: "here argmax and argmin give a tensor with 1 at the greatest or least cell, and not an index", hint: "write argmax(t, x), with the name of the dimension for x" },
  { of: ["std", "var"].map((name) => `torch . ${name} ( S )`), message: "torch divides by one less than the count of cells", hint: "write sum((t - avg(t)) ^ 2) / (count(t) - 1), or its square root for std" },
  { of: libraries.map((np) => `${np} . X ( S )`), is: ofLibrary, message: functions },
  { of: ["Z . X ( S )"],                      applies: ({ Z }) => Z === "F", is: ofLibrary, message: functions },
  { of: libraries.map((np) => `${np} . X ( S )`), applies: (captures) => adviceOf(captures) !== "", hint: adviceOf, message: functions },
  { of: receivers.flatMap((receiver) => ["axis = N", "dim = N", "N"].map((axis) => `${receiver} . Y ( ${axis} )`)), applies: ({ Y = "" }, before) => reductions.has(Y) && !endsName(before), message: "dimensions have names, and no numbers", hint: (captures) => `write ${method({ ...captures, S: "x" }, "", "")}, with the name of the dimension for x` },
  { of: ["X ( A , [ S ] )"],                  applies: ({ X = "", S = "" }) => reductions.has(X) && areNames(S), is: "X(A, S)", message: "the dimensions of a reduction are arguments of their own" },
  { of: ["concat ( [ A , B ] )", "concatenate ( [ A , B ] )"], message: "concat takes two tensors and the dimension along which they stand", hint: "write concat(A, B, x), with the name of the dimension for x" },
  { of: ["X Y"],                              applies: ({ X = "" }) => commonFunctions.has(X), is: called, message: functions },
  { of: ["reshape", "view", "flatten", "squeeze", "ravel", "transpose", "permute"].map((name) => `X . ${name} ( S )`), message: "dimensions have names here, and no order", hint: "drop a dimension with a slice, as in X{x:0}, or give it another name, as in rename(X, x, y)" },
  { of: receivers.map((receiver) => `${receiver} . Y ( S )`), is: method, message: functions },
  { of: ["V : L . T", "( … ) . T"],            is: transposed, message: orderless },
  { of: ["shape", "size", "ndim", "dtype"].map((name) => `V : L . ${name}`), message: shapeMessage, hint: shapeHint },
  { of: [", axis = X", ", dim = X", ", axis = Q", ", dim = Q"], is: ({ X, Q = "" }) => `, ${X ?? Q.slice(1, -1)}`, message: "a dimension is given by its name alone" },
  { of: [", axis = A", ", dim = A", ", keepdims = A", ", keepdim = A"], message: "dimensions have names, and no numbers", hint: "write the name of the dimension, as in sum(t, x)" },

  // Tensors.
  { of: ["X [ N : M ]"],                      is: range,     message: "a slice takes one index: for several, generate a tensor of them" },
  { of: ["[ N : M ]"],                        applies: (_, before) => endsWithIndex(`${before}[`), hint: rangeHint, message: "a slice takes one index: for several, generate a tensor of them" },
  { of: ["[ X : A ]"],                        is: "{X:A}",   message: "an address is written in braces" },
  { of: ["[ X = A ]"],                        is: "{X:A}",   applies: (_, before) => endsWithIndex(`${before}[`) && !/\bin\s*$/.test(before), message: "an address is written in braces, with a colon" },
  { of: ["Tensor ( S )", "TENSOR ( S )"],     is: "tensor(S)", message: "tensor is written in lower case" },
  { of: ["Tensor < X > ( S )"],               is: "tensor<X>(S)", message: "tensor is written in lower case" },
  { of: ["tensor ( X { N } ) : L"],           is: "tensor(X[N]):L", message: "the size of a dimension stands in square brackets" },
  { of: ["tensor ( X { S } ) :"],             is: "tensor(X{}):", message: "the type of a mapped dimension names no labels" },
  { of: ["tensor < X > L"],                   is: ({ X, L = "" }, behind) => tensorOf(L, behind)?.replace("tensor", `tensor<${X}>`), message: literal },
  { of: ["tensor ( X ) ( S )"],               is: "tensor<X>(S)", message: "the cell type of a tensor stands between < and >" },
  { of: ["X ( S ) :", "X ( S ) ( A )", "X < Y > ( S ) :", "X < Y > ( S ) ( A )"], is: respeltType, applies: isMistypedType, message: typeWord },
  { of: ["V = L", "V L"],                     is: "V:L",     message: cells },
  { of: ["tensor ( S ) : L", "tensor < X > ( S ) : L"], is: ({ S, X, L = "" }) => sizedBy(`tensor${X === undefined ? "" : `<${X}>`}(${S})`, L), message: "an indexed dimension has its size in brackets" },
  { of: ["V : { S }"],                        is: emptyMap,  message: "a mapped dimension has braces after its name" },
  { of: ["V : f ( S ) ( A )"],                message: "what each cell is stands in parentheses right behind the type", hint: "write V(A), with the names of the dimensions for S" },
  { of: ["V : ( S )", "V : { S }", "V : S"],  is: ({ V, S = "" }) => (/[[{]/.test(S) ? undefined : `${V}:[${S}]`), message: cells },
  { of: ["tensor ( S : L )"],                 is: "tensor(S):L", message: "the ) of a type comes before the colon" },
  { of: ["tensor < X > ( S : L )"],           is: "tensor<X>(S):L", message: "the ) of a type comes before the colon" },
  { of: ["tensor ( X [ N ) : L"],             is: "tensor(X[N]):L", message: "the size of a dimension stands in square brackets" },
  { of: ["tensor ( X : N ) : L"],             is: "tensor(X[N]):L", message: "the size of a dimension stands in square brackets" },
  { of: ["tensor ( N ) : L"],                 is: "tensor(x[N]):L", message: "a dimension has a name, and its size stands in square brackets behind it" },
  { of: ["tensor ( X = N )", "tensor ( X : N )"],             is: "tensor(X[N])", message: "the size of a dimension stands in square brackets" },
  { of: ["tensor X [ N ]"],                   is: "tensor(X[N])", message: "the dimensions of a type stand in parentheses" },
  { of: ["X [ : , A ]", "X [ A , : ]"],       message: "an address names its dimensions, and leaves out those that remain", hint: "write X{x:A}, with the name of the dimension for x" },
  { of: ["X [ A , B ]"],                      is: ({ X, A, B }) => `${X}{x:${A}, y:${B}}`, message: addressNames },
  { of: ["X { N , M }"],                      is: "X{x:N, y:M}", message: addressNames },
  { of: ["N , M"],                            is: decimal,   applies: (_, before) => !separatesByCommas(before), message: decimalMessage },
  { of: ["N , M"],                            hint: decimalHint, applies: (captures, before) => mayBeThousands(captures) && !separatesByCommas(before), message: decimalMessage },
  { of: ["} = A"],                            is: "}:A",     message: "a colon stands between an address and its value" },
  { of: [";"],                                is: ",",       applies: (_, before) => separatesBySemicolons(before), message: "commas stand between values" },
  { of: ["default A }"],                      is: "default: A }", message: "a colon stands after default" },
  { of: ["{ W :"],                            is: '{"W":',   message: "a label of several words stands in quotes" },
  { of: [", W :"],                            is: ', "W":',  message: "a label of several words stands in quotes" },
  { of: ["{ W }"],                            is: '{"W"}',   message: "a label of several words stands in quotes" },
  { of: [": W }"],                            is: ':"W"}',   message: "a label of several words stands in quotes" },
  { of: ["N : M"],                            is: counted,   message: "a row of numbers is generated from its type and the value of each cell" },
  { of: ["K"],                                is: curly,     message: "texts stand in straight quotes" },
  { of: ["“", "”"],                           is: '"',       message: "texts stand in straight quotes" },
  { of: ["‘", "’"],                           is: "'",       message: "texts stand in straight quotes" },
  { of: ["{ S } : L"],                        is: nested,    message: "a block stands under one label of each mapped dimension, in the order of the type" },
  { of: ["[ S ]"],                            is: spaced,    message: literal },
  { of: ["L"],                                is: list,      message: literal },
  { begins: true, of: ["{ S }"],              is: addressed, message: afterType },
];

let forms: readonly ForeignForm[] | undefined;

/** All forms, in the order in which they are tried. Most texts need none. */
export function foreignForms(): readonly ForeignForm[] {
  forms ??= rows.flatMap(({ of, is, message, hint, begins, open, applies }) =>
    of.map((form) => ({
      template: new Template(form),
      message,
      hint: typeof hint === "string" ? (captures: Captures) => filled(hint, captures) : hint,
      begins: begins === true,
      applies,
      isOpen: open === true || begins === true,
      write: typeof is === "string" ? (captures: Captures) => filled(is, captures) : is,
    })),
  );
  return forms;
}
