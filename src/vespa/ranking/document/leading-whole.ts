/**
 * The whole number that a text begins with, as Vespa's engine reads it: 0 where the text begins with another sign, even
 * with a space, and where the number has too many bits.
 */
export function leadingWhole(text: string, bits: 32 | 64): bigint {
  const [hexadecimal] = /^0x[\da-f]+/i.exec(text) ?? [];
  const [decimal = "0"] = /^-?\d+/.exec(text) ?? [];
  const number = BigInt(hexadecimal ?? decimal);
  return BigInt.asIntN(bits, number) === number ? number : 0n;
}
