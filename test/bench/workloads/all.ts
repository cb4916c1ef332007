import type { Workload } from "../workload.js";
import { blockWork } from "./blocks.js";
import { elementwise } from "./elementwise.js";
import { gathers } from "./gathers.js";
import { generators } from "./generators.js";
import { nets } from "./nets.js";
import { networks } from "./networks.js";
import { orders } from "./orders.js";
import { products } from "./products.js";
import { scalars } from "./scalars.js";
import { small } from "./small.js";
import { sparseWork } from "./sparse.js";
import { tokens } from "./tokens.js";
import { views } from "./views.js";

/** All workloads, in the order in which they are shown. */
export const allWorkloads = (): readonly Workload[] => [
  ...products,
  ...elementwise,
  ...nets,
  ...tokens,
  ...sparseWork,
  ...networks,
  ...orders,
  ...views,
  ...blockWork,
  ...gathers,
  ...generators,
  ...small,
  ...scalars(),
];
