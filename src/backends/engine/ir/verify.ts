import type { Plan } from "../plan/plan.js";

export function verify(_: Plan): void {}
