import { element } from "../../../language/values/element.js";
import type { QueryProfile } from "../model/model.js";
import { nameOf } from "./query-types.js";

/** Versions of query profiles, `a:1.2` or `a:1.2.3`, of which a request may ask for a part: `a:1`. */

/** What stands behind the name in an id. */
export const versionOf = (id: string): string => id.trim().slice(nameOf(id).length + 1);

/**
 * The query profile of an id: of several versions the latest that begins as the id says. One without a version is 0.0.0, and no other is
 * taken where none begins so.
 */
export function profileOfId(
  id: string,
  profiles: ReadonlyMap<string, QueryProfile>,
): QueryProfile | undefined {
  const name = nameOf(id);
  const asked = versionOf(id).split(".");
  const fits = ({ version }: QueryProfile): boolean => {
    const parts = partsOf(version);
    return asked.every((each, at) => each === "" || each === "*" || Number(each) === parts[at]);
  };
  const all = [...profiles.values()].filter((each) => each.id === name && fits(each));
  return all.reduce<QueryProfile | undefined>(
    (best, each) => (best === undefined || isLater(each.version, best.version) ? each : best),
    undefined,
  );
}

const partsOf = (version: string): number[] => `${version || "0"}.0.0`.split(".").slice(0, 3).map(Number);

/** Whether one version comes after another. */
export function isLater(version: string, other: string): boolean {
  const theirs = partsOf(other);
  const differences = partsOf(version).map((each, at) => each - element(theirs, at));
  return (differences.find((each) => each !== 0) ?? 0) > 0;
}
