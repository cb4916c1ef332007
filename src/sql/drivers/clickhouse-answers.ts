import type { ResultColumns } from "../../backends/sql/rows/reading.js";

/** The format that ClickHouse answers in: columns in JSON, with their types. */
export const answerFormat = "JSONColumnsWithMetadata";

/** Doubles that JSON has not are written between quotes; a time without a zone of its own is a label in UTC. */
export const answerSettings: Readonly<Record<string, string | number>> = {
  output_format_json_quote_denormals: 1,
  output_format_json_quote_64bit_integers: 0,
  session_timezone: "UTC",
};

/** Statements are as long as the tensors that they hold; a server's limits are for what people write. */
export const longStatements: Readonly<Record<string, number>> = {
  max_query_size: 2 ** 31,
  max_ast_elements: 10_000_000,
  max_expanded_ast_elements: 10_000_000,
};

interface Answer {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: Readonly<Record<string, readonly unknown[]>>;
}

/** The columns of an answer; none of a statement that has no answer. */
export function columnsOfAnswer(text: string): ResultColumns {
  if (text.trim() === "") return [];
  const { meta, data } = JSON.parse(text) as Answer; // as the format is documented
  return meta.map(({ name, type }) => {
    const column = Object.hasOwn(data, name) ? (data[name] ?? []) : [];
    return type.includes("Float") ? column.map((each) => infinities[`${each}`] ?? each) : column;
  });
}

const infinities: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  "-inf": Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
  "-nan": Number.NaN,
};
