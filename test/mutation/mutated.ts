import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** A file of the project, and its text with a mistake. */
export interface MutatedFile {
  readonly file: string;
  readonly text: string;
}

/** Has a bundler read another text for a file, and tells tests where they lie. */
const reading = (root: string, mutated: MutatedFile | undefined): Plugin => ({
  name: "mutated",
  setup: ({ onLoad }) => {
    const changed = mutated && join(root, mutated.file);
    onLoad({ filter: /[\\/](?:src|test)[\\/].*\.ts$/ }, ({ path }) => {
      const text = mutated !== undefined && path === changed ? mutated.text : readFileSync(path, "utf8");
      const here = JSON.stringify(pathToFileURL(path).href);
      return { loader: "ts", contents: text.replaceAll("import.meta.url", here) };
    });
  },
});

/** The judge and its worker, bundled with the mistake: paths of scripts in a folder. */
export interface Scripts {
  readonly judge: string;
  readonly thread: string;
}

export async function bundled(
  root: string,
  folder: string,
  mutated: MutatedFile | undefined,
): Promise<Scripts> {
  const plugins = [reading(root, mutated)];
  const common = { bundle: true, platform: "node", logLevel: "silent", plugins } as const;
  const [judge, thread] = [join(folder, "judge.mjs"), join(folder, "thread.cjs")];
  await Promise.all([
    build({
      ...common,
      entryPoints: [join(root, "test/mutation/judge.ts")],
      format: "esm",
      packages: "external",
      outfile: judge,
    }),
    build({ ...common, entryPoints: [join(root, "src/thread/thread.ts")], format: "cjs", outfile: thread }),
  ]);
  return { judge, thread };
}
