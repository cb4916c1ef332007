/**
 * Whether a number is another one but for so much. What is not finite is near to itself alone, and NaN to NaN: the difference
 * of an infinity and anything is within any part of it.
 */
export function isNear(found: number, expected: number, allowed: number): boolean {
  if (found === expected || (Number.isNaN(found) && Number.isNaN(expected))) return true;
  return Number.isFinite(found) && Number.isFinite(expected) && Math.abs(found - expected) <= allowed;
}
