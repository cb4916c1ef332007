import type { Files, Package, PackageOptions } from "../src/vespa.js";
import { readPackage } from "../src/vespa.js";

/** Application packages in a test: the texts of their files by path. */
export type Texts = Readonly<Record<string, string>>;

export function filesOf(texts: Texts): Files {
  return {
    list: (folder) => Object.keys(texts).filter((path) => path.startsWith(`${folder}/`)),
    read: (path) => {
      const text = Object.hasOwn(texts, path) ? texts[path] : undefined;
      if (text === undefined) throw new Error("there is no such file");
      return text;
    },
  };
}

export const packageOf = (texts: Texts, options: PackageOptions = {}): Package =>
  readPackage(filesOf(texts), options);

/** The first that there is: of what a profile and those that it inherits from have, from the nearest on, that which counts. */
export function first<T>(all: readonly (T | undefined)[]): T {
  const found = all.find((each) => each !== undefined);
  if (found === undefined) throw new Error("there is none");
  return found;
}

/** One schema with fields of the usual kinds, and these rank profiles. */
export const schemaWith = (profiles: string, more = ""): string => `schema doc {
  document doc {
    field title type string { indexing: index | summary
      index: enable-bm25 }
    field body type string { indexing: index }
    field price type double { indexing: attribute }
    field embedding type tensor<float>(x[3]) { indexing: attribute }
    field tokens type tensor<int8>(t{},y[2]) { indexing: attribute }
  }
  ${more}
  ${profiles}
}
`;
