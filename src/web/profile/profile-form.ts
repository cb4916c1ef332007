import type { TextStorage } from "../browser-storage.js";
import { type History, historyOf, redone, type Undoable, undone, withState } from "../history.js";
import { packageTexts } from "./package-texts.js";
import type { ImportedProfile, PackageText, ProfileRequest, ProfileTexts } from "./profile-request.js";
import { noTexts, storedTexts } from "./profile-storage.js";
import { sampleProfile } from "./sample-profile.js";

/** What the reader has put into rank profile mode. It is kept in the browser, so that nothing is lost on reload. */
export class ProfileForm implements Undoable {
  private history: History<ProfileTexts>;
  /** The document whose values are shown: its id. */
  selected: string | undefined;
  /** Called when another tab has kept its form in the place of this one. */
  onTakenOver: () => void = () => undefined;
  private isTakenOver = false;

  constructor(
    private readonly storage: TextStorage,
    /** Seconds since 1970. */
    readonly now: number,
  ) {
    this.history = historyOf(storedTexts(storage.getItem(key) ?? ""));
  }

  get texts(): ProfileTexts {
    return this.history.present;
  }

  get request(): ProfileRequest {
    return { ...this.texts, selected: this.selected, now: this.now };
  }

  /** Changes with the same key are one step back, as long as nobody pauses. */
  change(changes: Partial<ProfileTexts>, key?: string): void {
    this.become(withState(this.history, { ...this.texts, ...changes }, key, performance.now()));
  }

  get canUndo(): boolean {
    return this.history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.history.future.length > 0;
  }

  undo(): void {
    this.become(undone(this.history));
  }

  redo(): void {
    this.become(redone(this.history));
  }

  /** Hears what another tab has written, as an event of the storage tells: it is told of once, until this form is kept again. */
  hear({ key: changed }: Pick<StorageEvent, "key">): void {
    if (changed !== key || this.isTakenOver) return;
    this.isTakenOver = true;
    this.onTakenOver();
  }

  /** The text of a feature for all documents. */
  feature(name: string): string | undefined {
    return this.texts.features[name];
  }

  /** Sets the text of a feature for all documents, or for one. */
  setFeature(name: string, text: string, document?: string): void {
    const { features, documentFeatures } = this.texts;
    const step = JSON.stringify([name, document]);
    if (document === undefined) this.change({ features: { ...features, [name]: text } }, step);
    else {
      const own = { ...documentFeatures[document], [name]: text };
      this.change({ documentFeatures: { ...documentFeatures, [document]: own } }, step);
    }
  }

  get hasFeatures(): boolean {
    const { features, documentFeatures } = this.texts;
    return Object.keys(features).length + Object.keys(documentFeatures).length > 0;
  }

  clearFeatures(): void {
    this.change(noFeatures);
  }

  /** The text of the first schema, which is the one that is typed. */
  get schema(): string {
    return this.texts.files.find(isSchema)?.text ?? "";
  }

  setSchema(text: string): void {
    const { files } = this.texts;
    const at = files.findIndex(isSchema);
    const file = { path: files[at]?.path ?? "schemas/page.sd", text };
    this.change({ files: at < 0 ? [...files, file] : files.with(at, file) }, "schema");
  }

  /** Takes what files became; whether there was anything for it. */
  take({ files, documents, query, response }: ImportedProfile): boolean {
    const texts = Object.entries({ documents, query, response }).filter(([, text]) => text !== "");
    if (files.length === 0 && texts.length === 0) return false;
    const ofPackage =
      files.length === 0 ? {} : { files: packageTexts(files), profile: undefined, ...noFeatures };
    if (files.length > 0) this.selected = undefined;
    this.change({ ...ofPackage, ...Object.fromEntries(texts) });
    return true;
  }

  takeSample(): void {
    this.selected = undefined;
    this.change({ ...noTexts, countsWords: this.texts.countsWords, ...sampleProfile });
  }

  private become(history: History<ProfileTexts> | undefined): void {
    if (history === undefined) return;
    this.history = history;
    try {
      this.storage.setItem(key, JSON.stringify(this.texts));
      this.isTakenOver = false;
    } catch {
      // A browser without room for it forgets.
    }
  }
}

const key = "sphex-profile";

const noFeatures = { features: {}, documentFeatures: {} } as const;

const isSchema = ({ path }: PackageText): boolean => path.endsWith(".sd");
