import { type InjectedFeatures, type Package, type Profile, Ranking } from "../../vespa.js";

/** Rank profiles of a package: each is compiled once, and once more with the terms of its score where these are needed. */
export class CompiledProfiles {
  private readonly plain = new Map<Profile, Ranking>();
  private readonly withTerms = new Map<Profile, Ranking>();

  constructor(
    private readonly from: Package,
    private readonly overrides: InjectedFeatures,
  ) {}

  ranking(profile: Profile, { hasTerms }: { readonly hasTerms: boolean }): Ranking {
    const compiled = hasTerms ? this.withTerms : this.plain;
    const ranking =
      compiled.get(profile) ??
      new Ranking({ package: this.from, overrides: this.overrides, profile, hasTerms });
    compiled.set(profile, ranking);
    return ranking;
  }
}
