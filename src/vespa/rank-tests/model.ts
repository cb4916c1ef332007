import type { JsonValue } from "../../formats/json/value.js";
import type { Span } from "../../language/source/span.js";
import type { NeighbourSearch } from "../ranking/neighbours/nearest-neighbour.js";

/** A file of tests for rank profiles, as it is read: each test with all that it takes over from the file. */
export interface RankTestFile {
  /** The folder of the application package, from that of the file; found by the command where it is not said. */
  readonly package: { readonly path: string; readonly span: Span } | undefined;
  readonly tests: readonly RankTest[];
}

/** One document or a list of them, a query, features that only an engine computes, and what is expected of the profile. */
export interface RankTest {
  readonly name: string;
  readonly span: Span;
  readonly profile: { readonly name: string; readonly span: Span };
  /** The names of inputs, such as `query(q)`, and their values. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
  /** All else that the query says, such as `yql`. */
  readonly parameters: ReadonlyMap<string, JsonValue>;
  readonly properties: ReadonlyMap<string, JsonValue>;
  readonly documents: readonly TestDocument[];
  /** The documents that others import fields from; nothing where the test says nothing of them. */
  readonly parents: readonly TestDocument[] | undefined;
  /** Whether the documents are a list, whose order may be expected. */
  readonly isList: boolean;
  readonly features: ReadonlyMap<string, JsonValue>;
  readonly neighbours: readonly NeighbourSearch[] | undefined;
  /** Seconds since 1970. */
  readonly now: number | undefined;
  /** How far a number may be off, as a part of the one that is expected, and at least of 1. */
  readonly tolerance: number;
  readonly expected: readonly Expectation[];
}

export interface TestDocument {
  readonly id: string | undefined;
  readonly fields: ReadonlyMap<string, JsonValue>;
  /** Those of this document alone, in a list. */
  readonly features: ReadonlyMap<string, JsonValue>;
}

/** A value that something must have: `score`, a phase, a function, a feature; or of a list its `ranking` or `scores`. */
export interface Expectation {
  readonly name: string;
  readonly span: Span;
  readonly value: JsonValue;
}

/** The tolerance where a file names none. */
export const defaultTolerance = 1e-6;
