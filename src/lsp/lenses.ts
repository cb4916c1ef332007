import type { CodeLens } from "vscode-languageserver";
import { outlineOf } from "../service/service.js";
import type { OpenPackageFile } from "./package-requests.js";
import { pathOf, rangeOf } from "./protocol.js";
import type { OpenDocument } from "./requests.js";

/**
 * Lenses: what `sphex` can do with what they stand above. The editor runs it, in a terminal of its own; the arguments of a lens are
 * those of the command, each by itself, so that no shell has to read them.
 */
const lensCommands = { run: "sphex.run", score: "sphex.score", test: "sphex.test" } as const;

/** A program that is saved can be run. */
export function programLenses({ text, program }: OpenDocument): CodeLens[] {
  const path = pathOf(text.uri);
  const [first] = outlineOf(program.analysis);
  if (path === undefined || first === undefined) return [];
  return [
    {
      range: rangeOf(text, first.nameSpan),
      command: { title: "Run", command: lensCommands.run, arguments: ["run", path] },
    },
  ];
}

/** A rank profile can be scored, and tested by the tests that lie beside its package. */
export const packageLenses = ({ text, path, owner }: OpenPackageFile): CodeLens[] =>
  owner.analysis.profiles(path).flatMap(({ name, span }) => {
    const range = rangeOf(text, span);
    const folder = owner.root === "" ? "." : owner.root;
    const whole = path.endsWith(".sd") ? path : folder;
    return [
      {
        range,
        command: {
          title: "Score",
          command: lensCommands.score,
          arguments: ["score", whole, "--profile", name],
        },
      },
      { range, command: { title: "Test", command: lensCommands.test, arguments: ["test", folder] } },
    ];
  });
