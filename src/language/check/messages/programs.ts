import { error, type NoValues, quoted, warning } from "../../source/message.js";
import type { Role } from "../../syntax/tree.js";
import type { TensorType } from "../../types/type.js";

interface DeclaredName {
  readonly role: Role;
  readonly name: string;
}

/** The type of a tensor that is assigned to a name, and the type that the name was declared with. */
interface Assigned {
  readonly name: string;
  readonly type: TensorType;
  readonly declared: TensorType;
}

const fileText = (path: string): string => `file(${JSON.stringify(path)})`;

/** What can be wrong with declarations and statements, and with the files that they name. */
export const programMessages = {
  "role/no-value": error(({ role, name }: DeclaredName) => ({
    message: `the ${role} ${name} has no value`,
    found: "a type only",
    expected: "= and a value",
  })),
  "role/type": error(({ name, type, declared }: Assigned) => ({
    message: `the value of ${name} does not have its declared type`,
    found: `${type}`,
    expected: `${declared}`,
  })),
  "role/not-constant": error(({ role, name }: DeclaredName) => ({
    message: `the value of the ${role} ${name} depends on an input`,
    found: "an expression of inputs",
    expected: "an expression of constants",
  })),
  "assign/role": error(({ name, role }: { name: string; role: Role | undefined }) => ({
    message: `${name} cannot be assigned to`,
    found: role === undefined ? "a name without a tensor that is kept" : `a tensor of the role ${role}`,
    expected: "a variable or persistent tensor",
  })),
  "assign/twice": error(({ name }: { name: string }) => ({
    message: `${name} is assigned to twice`,
    found: "a second assignment",
    expected: "one for each name",
  })),
  "begin/role": error(({ name, role }: { name: string; role: Role | undefined }) => ({
    message: `no labels can begin in ${name}`,
    found: role === undefined ? "a name without a tensor that is kept" : `a tensor of the role ${role}`,
    expected: "a variable with a mapped dimension",
  })),
  "begin/dense": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `no labels can begin in ${name}, which has none`,
    found: `${type}`,
    expected: "a variable with a mapped dimension",
  })),
  "begin/twice": error(({ name }: { name: string }) => ({
    message: `how labels of ${name} begin is said twice`,
    found: "a second begin",
    expected: "one for each variable",
  })),
  "minimise/scalar": error(({ type }: { type: TensorType }) => ({
    message: "only a scalar can be minimised",
    found: `${type}`,
    expected: "tensor()",
    hint: "take the cells together, such as by sum or avg",
  })),
  "minimise/unreached": warning(({ name }: { name: string }) => ({
    message: `what is minimised does not depend on ${name}: training leaves it as it is`,
    found: quoted(name),
    expected: "a variable that the objective is computed from",
  })),
  "minimise/no-slope": warning(({ name }: { name: string }) => ({
    message: `what is minimised depends on ${name} by no way that has a derivative: its gradient is 0 everywhere`,
    found: "ways through comparisons, roundings, conditions, ranks or labels alone",
    expected: "an operation with a slope",
  })),
  "minimise/twice": error((_: NoValues) => ({
    message: "a program minimises one value",
    found: "a second one",
    expected: "one minimise, of a sum if there are several values",
  })),
  "input/type": error(({ name, type, declared }: Assigned) => ({
    message: `${name} cannot take a tensor of this type`,
    found: `${type}`,
    expected: `${declared}`,
  })),
  "file/no-type": error(({ path }: { path: string }) => ({
    message: "a tensor from a file needs a declared type",
    found: `${fileText(path)} without one`,
    expected: "constant name: tensor(…) = file(…)",
  })),
  "file/no-reader": error(({ path }: { path: string }) => ({
    message: "files cannot be read here",
    found: fileText(path),
    expected: "a host that gives readFile",
  })),
  "statement/comment": warning(({ text, divisor }: { text: string; divisor: string }) => ({
    message: "what follows // is a comment, and divides nothing",
    hint: `for a whole quotient, write floor(${text.length > 60 ? "…" : text} / ${divisor})`,
  })),
  "statement/minus": warning((_: NoValues) => ({
    message: "this line begins with a minus and is read as an expression of its own",
    hint: "end the line before with the -, or with a ; if two results are meant",
  })),
  "written/unbound": error(({ type, bound }: { type: TensorType; bound: TensorType }) => ({
    message: "core functions cannot say that a size is not known before a run",
    found: type.equals(bound) ? `${type} without a cell` : `${bound}, taken as ${type}`,
    expected: "a tensor whose type keeps its sizes",
  })),
  "limit/written": error(({ parts, limit }: { parts: number; limit: number }) => ({
    message: "written out in core functions, this expression is too long",
    found: `${parts} operations and cells`,
    expected: `at most ${limit}`,
    hint: "write out the values that it is made of one by one",
  })),
};

export type ProgramMessages = typeof programMessages;
