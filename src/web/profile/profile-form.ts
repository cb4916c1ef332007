import type { ImportedProfile } from "../share/import-request.js";
import type { FeatureTexts, PackageText, ProfileRequest } from "./profile-request.js";
import { sampleProfile } from "./sample-profile.js";

/** What the reader has put into rank profile mode. It is kept in the browser, so that nothing is lost on reload. */
export class ProfileForm {
  files: readonly PackageText[] = [];
  documents = "";
  query = "";
  response = "";
  profile: string | undefined;
  selected: string | undefined;
  countsWords = false;
  private features: FeatureTexts = {};
  private documentFeatures: Readonly<Record<string, FeatureTexts>> = {};

  constructor(
    private readonly storage: Pick<Storage, "getItem" | "setItem">,
    /** Seconds since 1970. */
    readonly now: number,
  ) {
    this.restore(storage.getItem(key) ?? "");
  }

  get request(): ProfileRequest {
    return {
      files: this.files,
      profile: this.profile,
      documents: this.documents,
      query: this.query,
      response: this.response,
      selected: this.selected,
      countsWords: this.countsWords,
      features: this.features,
      documentFeatures: this.documentFeatures,
      now: this.now,
    };
  }

  /** The text of a feature for all documents, or for one. */
  feature(name: string, document: string | undefined): string | undefined {
    return document === undefined ? this.features[name] : this.documentFeatures[document]?.[name];
  }

  setFeature(name: string, text: string, document: string | undefined): void {
    if (document === undefined) this.features = { ...this.features, [name]: text };
    else {
      const own = { ...this.documentFeatures[document], [name]: text };
      this.documentFeatures = { ...this.documentFeatures, [document]: own };
    }
  }

  get hasFeatures(): boolean {
    return Object.keys(this.features).length + Object.keys(this.documentFeatures).length > 0;
  }

  clearFeatures(): void {
    this.features = {};
    this.documentFeatures = {};
  }

  /** The text of the first schema, which is the one that is typed. */
  get schema(): string {
    return this.files.find(({ path }) => path.endsWith(".sd"))?.text ?? "";
  }

  set schema(text: string) {
    const at = this.files.findIndex(({ path }) => path.endsWith(".sd"));
    const path = this.files[at]?.path ?? "schemas/page.sd";
    const file = { path, text };
    this.files = at < 0 ? [...this.files, file] : this.files.with(at, file);
  }

  /** Takes what files became; whether there was anything for it. */
  take({ files, documents, query, response }: ImportedProfile): boolean {
    if (files.length > 0) {
      this.files = files;
      this.profile = undefined;
      this.selected = undefined;
      this.clearFeatures();
    }
    if (documents !== "") this.documents = documents;
    if (query !== "") this.query = query;
    if (response !== "") this.response = response;
    const isAny = files.length > 0 || documents !== "" || query !== "" || response !== "";
    if (isAny) this.keep();
    return isAny;
  }

  takeSample(): void {
    this.take({ ...sampleProfile, response: "" });
    this.response = "";
    this.keep();
  }

  keep(): void {
    const { now: _, selected: __, ...kept } = this.request;
    try {
      this.storage.setItem(key, JSON.stringify(kept));
    } catch {
      // A browser without room for it forgets.
    }
  }

  private restore(text: string): void {
    try {
      const stored: Partial<ProfileRequest> = JSON.parse(text); // written by `keep`, in this browser
      if (!Array.isArray(stored.files)) return;
      const {
        files,
        documents = "",
        query = "",
        response = "",
        features = {},
        documentFeatures = {},
      } = stored;
      Object.assign(this, { files, documents, query, response, features, documentFeatures });
      this.profile = stored.profile;
      this.countsWords = stored.countsWords === true;
    } catch {
      // There is none.
    }
  }
}

const key = "sphex-profile";
