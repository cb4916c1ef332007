import type { OperationName } from "../language/core/operations.js";
import { limitMessages } from "../language/limits/messages.js";
import { counted, error } from "../language/source/message.js";
import { problemsOf } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";

/** What can be wrong while a graph is computed. */
export const backendMessages = {
  "backend/unsupported": error(({ backend, operation }: { backend: string; operation: OperationName }) => ({
    message: `the backend ${backend} cannot compute this`,
    found: `the operation ${operation}`,
    expected: "an operation that the backend supports",
    hint: "run the program with another backend",
  })),
  "limit/steps": error(({ limit }: { limit: number }) => ({
    message: "this takes more steps than are allowed",
    found: `more than ${counted(limit, "step")}`,
    expected: `at most ${limit}`,
  })),
  "limit/time": error(({ limit, steps }: { limit: number; steps: number }) => ({
    message: "this takes more time than is allowed",
    found: `more than ${limit} ms, for ${counted(steps, "step")}`,
    expected: `at most ${limit} ms`,
  })),
  "function/promise": error(({ name }: { name: string }) => ({
    message: `${name} returned a promise, and this run does not wait for it`,
    found: "a promise",
    expected: "a value, or an asynchronous run",
    hint: "run the program with runAsync or runAllAsync",
  })),
  "batch/impossible": error(({ dimension }: { dimension: string }) => ({
    message: `this cannot be computed for all of ${dimension} at once`,
    found: "a value whose labels or order depend on cells, or on chance",
    expected: "the same labels for every run of the batch",
    hint: "run the program for each of them",
  })),
  "value/disposed": error(({ type }: { type: TensorType }) => ({
    message: `the cells of this ${type} were freed: the tensor was disposed of before they were read`,
    found: "a tensor without cells",
    expected: "a tensor that has not been disposed of",
  })),
};

declare module "../language/source/problem.js" {
  interface MessageTables {
    readonly backends: typeof backendMessages;
  }
}

export const problem = problemsOf<"language/limits" | "backends">({ ...limitMessages, ...backendMessages });
