import type { FeatureTexts, PackageText, ProfileTexts } from "./profile-request.js";

export const noTexts: ProfileTexts = {
  files: [],
  profile: undefined,
  documents: "",
  query: "",
  response: "",
  countsWords: false,
  features: {},
  documentFeatures: {},
};

/** The texts that the browser keeps as JSON, whatever an earlier page or somebody else wrote there. */
export function storedTexts(stored: string): ProfileTexts {
  try {
    const { files, profile, documents, query, response, countsWords, ...features } = membersOf(stored);
    if (!Array.isArray(files) || !files.every(isPackageText)) return noTexts;
    return {
      files,
      profile: typeof profile === "string" ? profile : undefined,
      documents: textIn(documents),
      query: textIn(query),
      response: textIn(response),
      countsWords: countsWords === true,
      features: featuresIn(features.features),
      documentFeatures: mapped(membersIn(features.documentFeatures), featuresIn),
    };
  } catch {
    return noTexts;
  }
}

const membersOf = (text: string): Readonly<Record<string, unknown>> => membersIn(JSON.parse(text));

const membersIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

const featuresIn = (value: unknown): FeatureTexts => mapped(membersIn(value), textIn);

const mapped = <Value>(
  members: Readonly<Record<string, unknown>>,
  read: (value: unknown) => Value,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, read(value)]));

const isPackageText = (value: unknown): value is PackageText => {
  const { path, text } = membersIn(value);
  return typeof path === "string" && typeof text === "string";
};
