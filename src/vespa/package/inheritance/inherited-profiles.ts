import type { Suggestions } from "../../../language/source/nearest.js";
import type { Report } from "../../../language/source/problem.js";
import { problem } from "../model/messages.js";
import type { RankProfile, Schema } from "../model/model.js";
import type { SchemaHierarchy } from "./schema-hierarchy.js";

/** Profiles that every schema has without declaring them: those of a schema that it inherits are others. */
const implied = new Set(["default", "unranked"]);

/** Finds what rank profiles inherit, in their schema and in those that it inherits. */
export class InheritedProfiles {
  private isLacking = false;

  constructor(
    private readonly hierarchy: SchemaHierarchy,
    private readonly suggestions: Suggestions,
    private readonly report: Report,
  ) {}

  /** Whether a profile was looked for that is not there. */
  get isOpen(): boolean {
    return this.isLacking;
  }

  /** The profiles that a profile inherits itself, in the order written. */
  by(profile: RankProfile): RankProfile[] {
    return profile.inherits.flatMap((name) => {
      // A profile may add to one of the same name in a schema that its own inherits.
      const isSameName = name.text === profile.name.text;
      const found = isSameName
        ? this.firstBehind(name.text)
        : this.first(name.text, this.schemasWith(name.text));
      // `default inherits default` means the one that every schema has without declaring it.
      if (implied.has(name.text) && (found === undefined || found === profile)) return [];
      if (found !== undefined) return [found];
      this.isLacking = true;
      const names = (): readonly string[] => this.hierarchy.all.flatMap((each) => [...each.profiles.keys()]);
      const nearest = this.suggestions.nearest(name.text, names);
      const values = { name: name.text, nearest: nearest === profile.name.text ? undefined : nearest };
      if (!this.hierarchy.isPartial) this.report(problem("profile/unknown", name.span, values));
      return [];
    });
  }

  private schemasWith(name: string): readonly Schema[] {
    return implied.has(name) ? this.hierarchy.all.slice(0, 1) : this.hierarchy.all;
  }

  private first(name: string, schemas = this.hierarchy.all): RankProfile | undefined {
    return schemas.map(({ profiles }) => profiles.get(name)).find((each) => each !== undefined);
  }

  /** Of the schemas that are inherited; where none has it, of the schema itself. */
  private firstBehind(name: string): RankProfile | undefined {
    return this.first(name, this.hierarchy.all.slice(1)) ?? this.first(name);
  }
}
