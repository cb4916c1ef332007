import { alternatives, didYouMean, error, quoted, warning } from "../../language/source/message.js";
import type { PhaseName } from "./model.js";

/** What a setting takes behind its colon. */
export type SettingValues =
  | "a whole number"
  | "a whole number from 0"
  | "a number with a point"
  | "true or false"
  | readonly string[];

/** A value that a setting of a schema cannot have. */
export interface RefusedValue {
  readonly setting: string;
  readonly text: string;
  readonly values: SettingValues;
  readonly nearest: string | undefined;
}

/** Constants that Vespa does not have where they stand. */
const constantFaults = {
  "list in schema": {
    message: "a schema has no list of constants",
    found: "constants outside of a rank profile",
    expected: "constants { … } in a rank profile, or constant name { type: tensor(…) file: … }",
  },
  "alone in profile": {
    message: "a rank profile has its constants in a list",
    found: "a constant by itself",
    expected: "constants { name type: value }",
  },
  "value in schema": {
    message: "the value of a constant of a schema is in a file",
    found: "a value",
    expected: "file: constants/….json, or constants { … } in a rank profile",
  },
  "number in schema": {
    message: "a constant of a schema is a tensor",
    found: "the type of a number",
    expected: "a tensor type, or constants { … } in a rank profile",
  },
};

/** What can be wrong with the settings and constants of schemas and rank profiles. */
export const settingMessages = {
  "schema/setting": error(({ setting, text, values, nearest }: RefusedValue) => ({
    message: `${text} is no value of ${setting}`,
    found: quoted(text),
    expected: typeof values === "string" ? values : alternatives(values),
    hint: didYouMean(nearest),
  })),
  "schema/unread": warning(({ place, keyword }: { place: string; keyword: string }) => ({
    message: `${keyword} is not read: it is no statement of ${place} that is known here, and Vespa 8 refuses it`,
    found: quoted(keyword),
    expected: `a statement of ${place}`,
  })),
  "schema/constant": error(({ fault }: { fault: keyof typeof constantFaults }) => constantFaults[fault]),
  "phase/setting": error((values: { setting: string; phase: PhaseName; phases: readonly PhaseName[] }) => ({
    message: `${values.setting} is no setting of ${values.phase}`,
    found: quoted(values.setting),
    expected: `it in ${alternatives(values.phases)}`,
  })),
};
