import { error, portability, warning } from "./row.js";

/** What can be wrong with literals, with data, and with a run. */
export const valueMessages = {
  "literal/labels": error(({ type }: { type: string }) => ({
    says: "cells of this tensor need labels",
    found: "a value without labels",
    wanted: `a label for each mapped dimension of ${type}`,
    hint: "labels stand before values, as in {a:1, b:2}",
  })),
  "literal/no-labels": error(({ type }: { type: string }) => ({
    says: "cells of this tensor have indexes, and no labels",
    found: "labels",
    wanted: `the cells of ${type} in their order`,
    hint: "write the cells in brackets, as in [1, 2, 3]",
  })),
  "literal/dimension": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `the type has no dimension ${dimension}`,
    found: `\`${dimension}\``,
    wanted: `a dimension of ${type}`,
  })),
  "literal/incomplete": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `this address lacks the dimension ${dimension}`,
    found: "an incomplete address",
    wanted: `every dimension of ${type}`,
  })),
  "literal/index-text": error(({ dimension, label }: { dimension: string; label: string }) => ({
    says: `${dimension} is indexed, and ${label} is no index`,
    found: `the label \`${label}\``,
    wanted: "a whole number",
  })),
  "literal/index-size": error(
    ({ dimension, index, size }: { dimension: string; index: number; size: number }) => ({
      says: `the index ${index} lies outside ${dimension}[${size}]`,
      found: `${index}`,
      wanted: `0 to ${size - 1}`,
    }),
  ),
  "literal/too-deep": error(({ type }: { type: string }) => ({
    says: "brackets nest deeper than the type has dimensions",
    found: "one level more",
    wanted: `the dimensions of ${type}`,
  })),
  "literal/one-value": error(({ type }: { type: string }) => ({
    says: "a label of this tensor has a single value",
    found: "an array",
    wanted: `one number for each address of ${type}`,
  })),
  "literal/array": error(({ block }: { type: string; block: string }) => ({
    says: "a dense block needs all of its cells",
    found: "a single value",
    wanted: `an array for ${block}`,
  })),
  "literal/count": error(({ found, wanted, block }: { found: number; wanted: number; block: string }) => ({
    says: `${block} takes ${wanted} ${wanted === 1 ? "value" : "values"}, not ${found}`,
    found: `${found}`,
    wanted: `${wanted}`,
  })),
  "literal/hex": error(({ found, wanted, block }: { found: number; wanted: number; block: string }) => ({
    says: `the hexadecimal cells of ${block} have ${wanted} digits, not ${found}`,
    found: `${found}`,
    wanted: `${wanted}`,
  })),
  "literal/duplicate": error(({ address }: { address: string }) => ({
    says: `the cell ${address} is given twice`,
    found: "a second value",
    wanted: "each address once",
  })),
  "literal/no-type": error((_: object) => ({
    says: "only a number or cells with addresses can do without a type",
    found: "no type",
    wanted: "tensor(…): in front",
  })),
  "literal/number": error(({ found }: { found: string }) => ({
    says: `${found} is no number`,
    found: `\`${found}\``,
    wanted: "a number, NaN, Infinity or -Infinity",
  })),
  "literal/unbound": error(({ dimension, type }: { dimension: string; type: string }) => ({
    says: `a literal in an expression needs a size for ${dimension}`,
    found: type,
    wanted: `${dimension}[size]`,
  })),
  "portability/literal": portability(({ type }: { type: string }) => ({
    says: `Vespa does not read this form of a literal of type ${type}`,
    found: "the Paper's form",
    wanted: "{{}:value} for a scalar, [ … ] for dense cells",
  })),
  "portability/empty-scalar": warning((_: object) => ({
    says: "a tensor of rank 0 without a cell is NaN in the Paper, and 0 in Vespa",
    found: "no cell",
    wanted: "one cell",
  })),
  "value/not-a-number": error(({ type }: { type: string }) => ({
    says: "only a tensor of rank 0 is a number",
    found: type,
    wanted: "tensor()",
  })),
  "value/array-type": error((values: { type: string; found: string; wanted: string }) => ({
    says: `the cells of ${values.type} come in another kind of array`,
    found: values.found,
    wanted: values.wanted,
  })),
  "value/array-mapped": error(({ type }: { type: string }) => ({
    says: "a typed array cannot say the labels of mapped dimensions",
    found: type,
    wanted: "a type with indexed dimensions only",
    hint: "give a list of { address, value }, or an object by label",
  })),
  "value/count": error((values: { type: string; found: number; wanted: number }) => ({
    says: `${values.type} has ${values.wanted} cells, not ${values.found}`,
    found: `${values.found}`,
    wanted: `${values.wanted}`,
  })),
  "value/size": error((values: { type: string; dimension: string; found: number; wanted: number }) => ({
    says: `an array for ${values.dimension} of ${values.type} has the wrong length`,
    found: `${values.found}`,
    wanted: `${values.wanted}`,
  })),
  "value/shape": error((values: { type: string; found: string; wanted: string }) => ({
    says: `this does not fit ${values.type}`,
    found: values.found,
    wanted: values.wanted,
  })),
  "batch/impossible": error(({ dimension }: { dimension: string }) => ({
    says: `this cannot be computed for all of ${dimension} at once`,
    found: "a value whose labels or order depend on cells, or on chance",
    wanted: "the same labels for every run of the batch",
    hint: "run the program for each of them",
  })),
  "batch/dimension": error((values: { dimension: string; found: string }) => ({
    says: `no input has ${values.dimension}, or the program or a type has it already`,
    found: values.found,
    wanted: `an indexed dimension ${values.dimension} on one input at least, the same size on all, and of no other meaning`,
  })),
  "value/disposed": error(({ type }: { type: string }) => ({
    says: `the cells of this ${type} were given back: it was disposed of before they were read`,
    found: "a tensor without cells",
    wanted: "one that is not disposed of yet",
  })),
  "value/into": error((values: { type: string; found: string; wanted: string }) => ({
    says: `the cells of ${values.type} do not go into this array`,
    found: values.found,
    wanted: values.wanted,
  })),
  "value/address": error((values: { type: string; dimension: string }) => ({
    says: `an address of ${values.type} must name each of its dimensions, and no other: ${values.dimension}`,
    found: `\`${values.dimension}\` missing, or too many`,
    wanted: values.type,
  })),
  "value/index": error((values: { type: string; dimension: string; label: string }) => ({
    says: `${values.label} is no index of ${values.dimension}`,
    found: `\`${values.label}\``,
    wanted: `an index within ${values.type}`,
  })),
  "value/duplicate": error((values: { type: string; address: string }) => ({
    says: `the cell ${values.address} of ${values.type} is given twice`,
    found: "a second value",
    wanted: "each address once",
  })),
  "json/syntax": error((values: { found: string; wanted: string }) => ({
    says: `this is not JSON: ${values.wanted} must stand here`,
    found: values.found || "the end",
    wanted: values.wanted,
  })),
  "json/shape": error((values: { path: string; found: string; wanted: string }) => ({
    says: `${values.path} must be ${values.wanted}`,
    found: values.found,
    wanted: values.wanted,
  })),
  "json/type": error((values: { path: string; found: string; wanted: string }) => ({
    says: `${values.path} is not the declared type`,
    found: values.found,
    wanted: values.wanted,
  })),
  "limit/cells": error(({ cells, limit }: { cells: number; limit: number }) => ({
    says: "this makes a tensor of more cells than is allowed",
    found: `${cells} cells`,
    wanted: `at most ${limit}`,
    hint: "reduce earlier, or raise the limit of cells",
  })),
  "limit/steps": error(({ limit }: { limit: number }) => ({
    says: "this takes more steps than are allowed",
    found: `more than ${limit} steps`,
    wanted: `at most ${limit}`,
  })),
  "limit/time": error(({ limit }: { limit: number }) => ({
    says: "this takes more time than is allowed",
    found: `more than ${limit} ms`,
    wanted: `at most ${limit} ms`,
  })),
  "limit/stack": error((_: object) => ({
    says: "this is nested too deeply for the stack of this machine",
    found: "too many levels",
    wanted: "fewer levels of brackets",
    hint: "give parts names of their own",
  })),
  "limit/memory": error((_: object) => ({
    says: "this takes more memory than there is",
    found: "no memory left",
    wanted: "smaller tensors",
    hint: "reduce earlier",
  })),
  "limit/cancelled": error((_: object) => ({
    says: "the run was cancelled",
    found: "an abort signal",
    wanted: "time to finish",
  })),
  "limit/expansions": error(({ limit }: { limit: number }) => ({
    says: "this program calls functions more often than is allowed",
    found: `more than ${limit} calls`,
    wanted: `at most ${limit}`,
    hint: "give a repeated call a name, and use the name",
  })),
  "limit/written": error(({ parts, limit }: { parts: number; limit: number }) => ({
    says: "written out in core functions, this expression is too long",
    found: `${parts} operations and cells`,
    wanted: `at most ${limit}`,
    hint: "write out the values that it is made of one by one",
  })),
  "limit/expansion-depth": error(({ limit }: { limit: number }) => ({
    says: "functions call functions too deeply here",
    found: `more than ${limit} levels`,
    wanted: `at most ${limit}`,
  })),
};
