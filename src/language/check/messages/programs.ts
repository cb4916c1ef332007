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
    found: role === undefined ? "a name without a stored tensor" : `a tensor with the role ${role}`,
    expected: "a variable or persistent tensor",
  })),
  "assign/twice": error(({ name }: { name: string }) => ({
    message: `${name} is assigned to twice`,
    found: "a second assignment",
    expected: "one assignment for each name",
  })),
  "begin/role": error(({ name, role }: { name: string; role: Role | undefined }) => ({
    message: `${name} cannot have a begin statement`,
    found: role === undefined ? "a name without a stored tensor" : `a tensor with the role ${role}`,
    expected: "a variable with a mapped dimension",
  })),
  "begin/dense": error(({ name, type }: { name: string; type: TensorType }) => ({
    message: `${name} cannot have a begin statement, since it has no labels`,
    found: `${type}`,
    expected: "a variable with a mapped dimension",
  })),
  "begin/twice": error(({ name }: { name: string }) => ({
    message: `${name} has two begin statements`,
    found: "a second begin statement",
    expected: "one for each variable",
  })),
  "minimise/scalar": error(({ type }: { type: TensorType }) => ({
    message: "only a scalar can be minimised",
    found: `${type}`,
    expected: "tensor()",
    hint: "reduce the cells to one number, such as by sum or avg",
  })),
  "minimise/unreached": warning(({ name }: { name: string }) => ({
    message: `what is minimised does not depend on ${name}: training leaves it as it is`,
    found: quoted(name),
    expected: "a variable that the objective is computed from",
  })),
  "minimise/no-slope": warning(({ name }: { name: string }) => ({
    message: `what is minimised depends on ${name} only through operations without a derivative: its gradient is 0 everywhere`,
    found: "only comparisons, roundings, conditions, ranks or labels",
    expected: "an operation with a derivative",
  })),
  "minimise/twice": error((_: NoValues) => ({
    message: "a program minimises only one value",
    found: "a second minimise",
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
    expected: "a host that provides readFile",
  })),
  "statement/comment": warning(({ text, divisor }: { text: string; divisor: string }) => ({
    message: "what follows // is a comment, and divides nothing",
    hint: `for a whole quotient, write floor(${text.length > 60 ? "…" : text} / ${divisor})`,
  })),
  "statement/minus": warning((_: NoValues) => ({
    message: "this line begins with a minus and is read as an expression of its own",
    hint: "end the previous line with the -, or with a ; if two results are meant",
  })),
  "written/unbound": error(({ type, bound }: { type: TensorType; bound: TensorType }) => ({
    message: "core functions cannot express that a size is not known before a run",
    found: type.equals(bound) ? `${type} without a cell` : `${bound}, taken as ${type}`,
    expected: "a tensor whose type keeps its sizes",
  })),
  "limit/written": error(({ parts, limit }: { parts: number; limit: number }) => ({
    message: "written out in core functions, this expression is too long",
    found: `${parts} operations and cells`,
    expected: `at most ${limit}`,
    hint: "write out the values that it is made of, one by one",
  })),
};

export type ProgramMessages = typeof programMessages;
