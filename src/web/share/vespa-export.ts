import { compile, jsonFormsOf, type Tensor, visibleJson, writeTensor } from "../../index.js";
import { expectedName, exportApplication, functionNames } from "../../vespa.js";
import type { DocumentCell, PageDocument } from "../document/page-document.js";
import type { CellResults } from "./cell-results.js";
import { programText } from "./vespa-cells.js";

/** The name of the schema, and of the rank profile in it, that a document becomes. */
const schemaName = "page";
const profileName = "sphex";

/**
 * A schema with a rank profile: a function for each named value, an input for each cell called `query(…)`, a field for each
 * called `attribute(…)`. The values of these two are in the rank test instead.
 * @throws SphexError where the document has what Vespa has not.
 */
export function schemaOf(document: PageDocument): string {
  const program = compile(profileText(document.cells), { dialect: "vespa", name: "document" });
  const withoutDefault = new Set(document.cells.flatMap((cell) => inputOf(cell)?.input ?? []));
  return (
    exportApplication(program, { name: schemaName, withoutDefault }).get(`schemas/${schemaName}.sd`) ?? ""
  );
}

/** The cells as a program, in which constants are declared as such. Remarks would be of no function, and are left out. */
function profileText(cells: readonly DocumentCell[]): string {
  const constants: string[] = [];
  const others = cells.filter((cell) => {
    if (cell.kind !== "expression") return cell.kind === "program";
    const name = /^constant\(\s*(\w+)\s*\)$/.exec(cell.name)?.[1];
    // Within parentheses the ends of lines mean nothing, as in a cell.
    if (name !== undefined) constants.push(`constant ${name} = (${cell.text}\n)\n`);
    return name === undefined;
  });
  return constants.join("") + programText(others);
}

/**
 * A test that expects of the rank profile what the page shows: inputs are the query, attributes the document, and of a program
 * its named values are expected; of a name that stands twice it is the last value. Its values are in JSON, which YAML is a
 * superset of, each on a line.
 */
export function rankTestOf({ cells }: PageDocument, results: CellResults): string {
  const query = new Map<string, string>();
  const document = new Map<string, string>();
  const values = new Map<string, string>();
  for (const cell of cells) {
    if (cell.kind === "program")
      for (const { key, tensor } of results(cell.id))
        if (/^[A-Za-z_]\w*$/.test(key)) values.set(key, valueJson(tensor));
    if (cell.kind !== "expression" || cell.name === "") continue;
    const [only] = results(cell.id);
    if (only === undefined) continue;
    const input = inputOf(cell);
    if (input?.role === "query") query.set(`input.${input.input}`, valueJson(only.tensor));
    else if (input?.role === "attribute") document.set(input.name, valueJson(only.tensor));
    else if (/^\w+$/.test(cell.name)) values.set(cell.name, valueJson(only.tensor));
  }
  const { ofValues } = functionNames({ results: [], values });
  const expected = new Map(
    Array.from(values, ([name, value]) => [expectedName(ofValues.get(name) ?? name), value]),
  );
  if (expected.size === 0) throw new Error("a rank test expects named values, and there are none");
  return `# Beside the schema of the same document: sphex test
profile: ${profileName}
query:${mapping(query, "  ")}
cases:
  - name: as the page shows it
    document:${mapping(document, "      ")}
    expect:${mapping(expected, "      ")}
`;
}

/** The input of a rank profile that a cell gives a value. */
function inputOf(
  cell: DocumentCell,
): { readonly role: string; readonly name: string; readonly input: string } | undefined {
  if (cell.kind !== "expression") return undefined;
  const [, role, name] = /^(query|attribute)\(\s*(\w+)\s*\)$/.exec(cell.name) ?? [];
  return role === undefined || name === undefined ? undefined : { role, name, input: `${role}(${name})` };
}

const mapping = (members: ReadonlyMap<string, string>, indent: string): string =>
  members.size === 0
    ? " {}"
    : Array.from(members, ([name, value]) => `\n${indent}${JSON.stringify(name)}: ${value}`).join("");

function valueJson(tensor: Tensor): string {
  if (!tensor.type.isScalar) {
    const form = jsonFormsOf(tensor.type).includes("direct") ? "direct" : "cells";
    return writeTensor(tensor, "json", { form }).trim();
  }
  const number = tensor.asNumber();
  return visibleJson(Number.isFinite(number) ? number : `${number}`);
}
