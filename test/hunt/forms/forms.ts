import type { Form } from "../builder.js";
import { borders } from "./borders.js";
import { calls } from "./calls.js";
import { chains } from "./chains.js";
import { choices } from "./choices.js";
import { contractions } from "./contractions.js";
import { elementwise } from "./elementwise.js";
import { forests } from "./forests.js";
import { heavies } from "./heavy.js";
import { hosting } from "./hosting.js";
import { laws } from "./laws.js";
import { making } from "./making.js";
import { networks } from "./networks.js";
import { ordering } from "./ordering.js";
import { picking } from "./picking.js";
import { prelude } from "./prelude.js";
import { reducing } from "./reducing.js";
import { sampling } from "./sampling.js";
import { shaping } from "./shaping.js";
import { subspaces } from "./subspaces.js";
import { waiting } from "./waiting.js";

/** All forms of expressions. */
export const forms: readonly Form[] = [
  { name: "leaf", weight: 10, fits: () => true, make: (goal, builder) => builder.leaf(goal) },
  ...elementwise,
  ...chains,
  ...reducing,
  ...shaping,
  ...making,
  ...borders,
  ...choices,
  ...subspaces,
  ...calls,
  ...hosting,
  ...prelude,
  ...contractions,
  ...picking,
  ...sampling,
  ...ordering,
  ...networks,
  ...forests,
  ...heavies,
  ...waiting,
  ...laws,
];
