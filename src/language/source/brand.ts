/**
 * How a class knows its instances where a program has two copies of the library, which share no class: each carries a text
 * as a member of its own. A class whose members change takes another text, so that copies which differ refuse each other's.
 */
export const isBranded = (value: unknown, brand: string): boolean =>
  typeof value === "object" && value !== null && "brand" in value && value.brand === brand;
