/**
 * Functions of the language that imported programs call, where the language has none of that name. A program brings those along that
 * it calls.
 */
const text = `
# The exponentials of t, scaled to sum to 1 along d; the largest is taken off first, so that none overflows.
stable_softmax(t, d) = softmax(t - max(t, d), d)

log_softmax(t, d) = t - max(t, d) - log(sum(exp(t - max(t, d)), d))

# log(1 + exp(x)), also where exp(x) is infinite.
softplus(x) = map(x, f(a)(max(a, 0) + log(1 + exp(0 - abs(a)))))

# t without its mean along d, divided by its spread there.
layer_normalised(t, d, epsilon) = (t - avg(t, d)) / sqrt(avg((t - avg(t, d)) * (t - avg(t, d)), d) + epsilon)

# How well each of the keys, which are columns, fits each query, so that all of one query sum to 1.
attention_weights(queries, keys, scale) = stable_softmax(sum(rename(queries, z, k) * rename(keys, y, k), k) * scale, z)
masked_attention_weights(queries, keys, scale, mask) = stable_softmax(sum(rename(queries, z, k) * rename(keys, y, k), k) * scale + mask, z)

# For each query the mean of the values, which are rows, by how well their keys fit.
attention(queries, keys, values, scale) = sum(rename(attention_weights(queries, keys, scale), z, k) * rename(values, y, k), k)
masked_attention(queries, keys, values, scale, mask) = sum(rename(masked_attention_weights(queries, keys, scale, mask), z, k) * rename(values, y, k), k)

gelu(x) = map(x, f(a)(0.5 * a * (1 + erf(a / 1.4142135623730951))))
gelu_tanh(x) = map(x, f(a)(0.5 * a * (1 + tanh(0.7978845608028654 * (a + 0.044715 * a * a * a)))))

# The sign of x, which is 0 for 0.
signum(x) = map(x, f(a)(if(a > 0, 1, if(a < 0, -1, a))))

# The remainder of a / b with the sign of b.
floor_mod(a, b) = join(a, b, f(a, b)(a - floor(a / b) * b))

# Whole numbers of 32 bits start again where they end. A product of two is put together from halves, so that each part of it is exact.
wrapped_int32(x) = map(x, f(a)(a - 4294967296 * floor((a + 2147483648) / 4294967296)))
wrapped_uint32(x) = map(x, f(a)(a - 4294967296 * floor(a / 4294967296)))
long_product(x, y) = join(x, y, f(a, b)((floor(a / 65536) * b - floor(floor(a / 65536) * b / 65536) * 65536) * 65536 + (a - floor(a / 65536) * 65536) * b))

# The index i along an axis of n cells, or what a negative one is, counted from the end.
from_end(i, n) = if(i < 0, i + n, i)

# Indexes of greatest cells, or 0 where the first cell is NaN, which no other is greater than.
unless_nan(index, first) = join(index, first, f(a, b)(if(isNan(b), 0, a)))

# The numbers of x, and 0 for infinity: what exponents may be shifted by.
finite(x) = map(x, f(a)(if(isInfinite(a), 0, a)))

# A position beyond an axis of this span, reflected at its ends.
reflected(x, low, span) = low + span - abs(x - low - floor((x - low) / (2 * span)) * 2 * span - span)

# How much a neighbour counts at a distance, by a cubic.
cubic_weight(d) = if(d <= 1, (1.25 * d - 2.25) * d * d + 1, ((3.75 - 0.75 * d) * d - 6) * d + 3)

# x rounded to the 8 leading bits that bfloat16 has.
round_bfloat16(x) = map(x, f(a)(if(a - a != 0, a, a * 35184372088833 - (a * 35184372088833 - a))))
`;

/** The definition of each function, with the comment before it. */
export const functionTexts: ReadonlyMap<string, string> = new Map(
  text
    .trim()
    .split("\n")
    .flatMap((line, at, lines) => {
      const name = /^(\w+)\(/.exec(line)?.[1];
      if (name === undefined) return [];
      const before = lines[at - 1] ?? "";
      return [[name, before.startsWith("#") ? `${before}\n${line}` : line] as const];
    }),
);

/** The functions that texts call, and those that these call, in the order of the table. */
export function calledFunctions(texts: Iterable<string>): string[] {
  const called = new Set<string>();
  const open = [...texts];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, name = ""] of next.matchAll(/(?<!\w)(\w+)\(/g)) {
      const definition = functionTexts.get(name);
      if (definition === undefined || called.has(name)) continue;
      called.add(name);
      open.push(definition);
    }
  }
  return [...functionTexts].filter(([name]) => called.has(name)).map(([, definition]) => definition);
}
