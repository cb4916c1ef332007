/**
 * The number of a string. A string of the language is a number, made of a hash of its UTF-8 bytes, so that
 * an engine that knows only numbers can compare strings; the hash is XXH3 with 64 bits, seed 0 and the
 * default secret, and no other number would agree with what such an engine has stored.
 *
 * This is that one hash of one whole text. It takes no seed and no stream, and it is neither cryptographic
 * nor quick: numbers of 64 bits are BigInts, so that it can be compared with the specification.
 *
 * XXH3 is five functions chosen by length. Each of them mixes words of the text with words of the secret;
 * the offsets into the secret, odd as some of them are, are part of the definition.
 */

const encoder = new TextEncoder();

/** The 64 bits of XXH3-64 of a text's UTF-8 bytes, as an unsigned number. */
export function hashText(text: string): bigint {
  const bytes = encoder.encode(text);
  const input = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = input.byteLength;
  if (length === 0) return scatter(word(secret, 56) ^ word(secret, 64));
  if (length <= 3) return hashTo3(input);
  if (length <= 8) return hashTo8(input);
  if (length <= 16) return hashTo16(input);
  if (length <= 128) return hashTo128(input);
  return length <= 240 ? hashTo240(input) : hashLong(input);
}

/** The number that a string stands for: its hash as a double that is neither NaN nor infinite. */
export function textAsNumber(text: string): number {
  const hash = hashText(text);
  const special = (hash & exponentBits) === exponentBits;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigUint64(0, special ? hash & ~lowestExponentBit : hash);
  return bits.getFloat64(0);
}

const exponentBits = 0x7ff0000000000000n;
const lowestExponentBit = 0x0010000000000000n;

// The primes of xxHash, by the names that its specification has for them.
const prime32n1 = 0x9e3779b1n;
const prime32n2 = 0x85ebca77n;
const prime32n3 = 0xc2b2ae3dn;
const prime64n1 = 0x9e3779b185ebca87n;
const prime64n2 = 0xc2b2ae3d27d4eb4fn;
const prime64n3 = 0x165667b19e3779f9n;
const prime64n4 = 0x85ebca77c2b2ae63n;
const prime64n5 = 0x27d4eb2f165667c5n;
const mixer1 = 0x165667919e3779f9n;
const mixer2 = 0x9fb21c651e98df25n;

/** The default secret. Its bytes are written here in the order in which they lie. */
const secret = bytesOf([
  [0xb8fe6c3923a44bben, 0x7c01812cf721ad1cn, 0xded46de9839097dbn, 0x7240a4a4b7b3671fn],
  [0xcb79e64eccc0e578n, 0x825ad07dccff7221n, 0xb8084674f743248en, 0xe03590e6813a264cn],
  [0x3c2852bb91c300cbn, 0x88d0658b1b532ea3n, 0x71644897a20df94en, 0x3819ef46a9deacd8n],
  [0xa8fa763fe39c343fn, 0xf9dcbbc7c70b4f1dn, 0x8a51e04bcdb45931n, 0xc89f7ec9d9787364n],
  [0xeac5ac8334d3ebc3n, 0xc581a0fffa1363ebn, 0x170ddd51b7f0da49n, 0xd316552629d4689en],
  [0x2b16be587d47a1fcn, 0x8ff8b8d17ad031cen, 0x45cb3a8f95160428n, 0xafd7fbcabb4b407en],
]);

function bytesOf(rows: readonly (readonly bigint[])[]): DataView {
  const words = rows.flat();
  const view = new DataView(new ArrayBuffer(8 * words.length));
  for (const [index, each] of words.entries()) view.setBigUint64(8 * index, each);
  return view;
}

/** The first byte, the one in the middle, the last one and the length make one word of 32 bits. */
function hashTo3(input: DataView): bigint {
  const length = input.byteLength;
  const first = BigInt(input.getUint8(0));
  const middle = BigInt(input.getUint8(length >> 1));
  const last = BigInt(input.getUint8(length - 1));
  const combined = last | (BigInt(length) << 8n) | (first << 16n) | (middle << 24n);
  return scatter(halfWord(secret, 0) ^ halfWord(secret, 4) ^ combined);
}

/** The first four bytes and the last four, which may overlap, make one word. */
function hashTo8(input: DataView): bigint {
  const length = input.byteLength;
  const combined = halfWord(input, length - 4) | (halfWord(input, 0) << 32n);
  const keyed = word(secret, 8) ^ word(secret, 16) ^ combined;
  const turned = keyed ^ rotate(keyed, 49n) ^ rotate(keyed, 24n);
  const once = wrap(turned * mixer2);
  const twice = wrap((once ^ ((once >> 35n) + BigInt(length))) * mixer2);
  return twice ^ (twice >> 28n);
}

/** The first eight bytes and the last eight, which may overlap, make two words. */
function hashTo16(input: DataView): bigint {
  const length = input.byteLength;
  const low = word(secret, 24) ^ word(secret, 32) ^ word(input, 0);
  const high = word(secret, 40) ^ word(secret, 48) ^ word(input, length - 8);
  return avalanche(wrap(BigInt(length) + reverseBytes(low) + high + foldedProduct(low, high)));
}

/** Pairs of chunks from both ends towards the middle, where they may overlap. */
function hashTo128(input: DataView): bigint {
  const length = input.byteLength;
  let sum = BigInt(length) * prime64n1;
  for (let at = 0; 2 * at < length; at += chunk) {
    sum += mixChunk(input, at, 2 * at);
    sum += mixChunk(input, length - chunk - at, 2 * at + chunk);
  }
  return avalanche(wrap(sum));
}

/** Eight chunks, an avalanche, the other whole chunks, and the last 16 bytes again. */
function hashTo240(input: DataView): bigint {
  const length = input.byteLength;
  let sum = BigInt(length) * prime64n1;
  for (let at = 0; at < 128; at += chunk) sum += mixChunk(input, at, at);
  sum = avalanche(wrap(sum));
  for (let at = 128; at + chunk <= length; at += chunk) sum += mixChunk(input, at, at - 128 + 3);
  return avalanche(wrap(sum + mixChunk(input, length - chunk, 119)));
}

/** Stripes go into eight sums, which are scrambled after every block and multiplied together at the end. */
function hashLong(input: DataView): bigint {
  const sums = new DataView(new ArrayBuffer(stripe));
  for (const [lane, start] of starts.entries()) setWord(sums, 8 * lane, start);

  const lastStripe = input.byteLength - stripe;
  for (let at = 0; at < lastStripe; at += stripe) {
    const within = at % block;
    accumulate(sums, input, at, within / 8);
    if (within === block - stripe) scramble(sums);
  }
  // The last 64 bytes are one more stripe, which may overlap, and never the end of a block.
  accumulate(sums, input, lastStripe, secret.byteLength - stripe - 7);

  let merged = BigInt(input.byteLength) * prime64n1;
  for (let at = 0; at < stripe; at += chunk) merged += mixChunk(sums, at, at + 11);
  return avalanche(wrap(merged));
}

const chunk = 16;
const stripe = 64;
const block = 16 * stripe;
const starts = [prime32n3, prime64n1, prime64n2, prime64n3, prime64n4, prime32n2, prime64n5, prime32n1];

/** Each sum gets its neighbour's word, and the product of the two halves of its own, keyed. */
function accumulate(sums: DataView, input: DataView, at: number, key: number): void {
  for (let lane = 0; lane < stripe; lane += 8) {
    const keyed = word(input, at + lane) ^ word(secret, key + lane);
    const neighbour = word(input, at + (lane ^ 8));
    setWord(sums, lane, word(sums, lane) + neighbour + (keyed & 0xffffffffn) * (keyed >> 32n));
  }
}

function scramble(sums: DataView): void {
  const key = secret.byteLength - stripe;
  for (let lane = 0; lane < stripe; lane += 8) {
    const sum = word(sums, lane);
    setWord(sums, lane, (sum ^ (sum >> 47n) ^ word(secret, key + lane)) * prime32n1);
  }
}

/** The two words of a chunk, each keyed by a word of the secret, multiplied. */
function mixChunk(input: DataView, at: number, key: number): bigint {
  return foldedProduct(word(input, at) ^ word(secret, key), word(input, at + 8) ^ word(secret, key + 8));
}

/** The two halves of a product of 128 bits, one upon the other. */
function foldedProduct(left: bigint, right: bigint): bigint {
  const product = left * right;
  return wrap(product) ^ (product >> 64n);
}

/** The end of most lengths: every bit gets a say in every other. */
function avalanche(bits: bigint): bigint {
  const mixed = wrap((bits ^ (bits >> 37n)) * mixer1);
  return mixed ^ (mixed >> 32n);
}

/** The end of the shortest lengths: the avalanche of XXH64, an older hash. */
function scatter(bits: bigint): bigint {
  const once = wrap((bits ^ (bits >> 33n)) * prime64n2);
  const twice = wrap((once ^ (once >> 29n)) * prime64n3);
  return twice ^ (twice >> 32n);
}

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);

const rotate = (bits: bigint, by: bigint): bigint => wrap(bits << by) | (bits >> (64n - by));

function reverseBytes(bits: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return word(view, 0);
}

// Words lie with their lowest byte first, on whatever machine.
const word = (view: DataView, at: number): bigint => view.getBigUint64(at, true);
const halfWord = (view: DataView, at: number): bigint => BigInt(view.getUint32(at, true));
/** Sets a word to a value's lowest 64 bits. */
const setWord = (view: DataView, at: number, value: bigint): void => view.setBigUint64(at, value, true);
