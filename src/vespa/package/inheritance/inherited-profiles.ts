import type { Suggestions } from "../../../language/source/nearest.js";
import type { Report } from "../../../language/source/problem.js";
import { problem } from "../model/messages.js";
import type { RankProfile, Schema } from "../model/model.js";
import type { SchemaHierarchy } from "./schema-hierarchy.js";

/** Profiles that every schema has without declaring them: those of a schema that it inherits are others. */
export const implied: ReadonlySet<string> = new Set(["default", "unranked"]);

/** Finds what rank profiles inherit, in the schema that they are written in and in those that it inherits. */
export class InheritedProfiles {
  private isLacking = false;

  constructor(
    private readonly hierarchy: SchemaHierarchy,
    /** A schema and all that it inherits, nearer ones first. */
    private readonly above: (schema: Schema) => readonly Schema[],
    private readonly suggestions: Suggestions,
    private readonly report: Report,
  ) {}

  /** Whether a profile was looked for that is not there. */
  get isOpen(): boolean {
    return this.isLacking;
  }

  /** The schema that a profile is written in and those that it inherits, nearer ones first. */
  schemasOf(profile: RankProfile): readonly Schema[] {
    const own = this.hierarchy.all.find(({ profiles }) => profiles.get(profile.name.text) === profile);
    return own === undefined ? this.hierarchy.all : this.above(own);
  }

  /** The profiles that a profile inherits itself, in the order written. */
  by(profile: RankProfile): RankProfile[] {
    const schemas = this.schemasOf(profile);
    return profile.inherits.flatMap((name) => {
      const { text } = name;
      const isImplied = implied.has(text);
      const visible = isImplied ? schemas.slice(0, 1) : schemas;
      // A profile may add to one of the same name in a schema that its own inherits.
      const behind = text === profile.name.text ? first(text, visible.slice(1)) : undefined;
      const found = behind ?? first(text, visible);
      // `default inherits default` means the one that every schema has without declaring it.
      if (isImplied && (found === undefined || found === profile)) return [];
      if (found !== undefined) return [found];
      this.isLacking = true;
      const names = (): readonly string[] => this.hierarchy.all.flatMap((each) => [...each.profiles.keys()]);
      const nearest = this.suggestions.nearest(name.text, names);
      const values = { name: name.text, nearest: nearest === profile.name.text ? undefined : nearest };
      if (!this.hierarchy.isPartial) this.report(problem("profile/unknown", name.span, values));
      return [];
    });
  }
}

const first = (name: string, schemas: readonly Schema[]): RankProfile | undefined =>
  schemas.map(({ profiles }) => profiles.get(name)).find((each) => each !== undefined);
