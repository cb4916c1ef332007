import { SphexError } from "../../language/source/problem.js";
import { element } from "../../language/values/element.js";
import type { Bytes } from "../bytes.js";
import { type Inflate, inflated } from "../inflate.js";

/** The four bytes that a frame begins with, as a number. */
const sign = 0xfd2fb528;
/** A block of one byte again and again has that byte alone; others have as many bytes as they say. */
const repeated = 1;
const checksumBytes = 4;

/** What the header of a frame says: how much of what was unpacked is looked back at, and how much there is in all, if it says so. */
interface Frame {
  readonly window: number;
  readonly size: number | undefined;
}

/** What becomes of a frame that is no frame, and of the memory that it asks for. */
export interface FrameContext {
  readonly Decompress: Inflate;
  /** Counts bytes of memory. */
  readonly store: (bytes: number) => void;
  readonly damaged: (reason?: string) => never;
}

/**
 * The bytes that one frame of Zstandard packs, which are as many as is said elsewhere; nothing is unpacked beyond them. `bytes` are
 * the frame, with nothing behind it.
 */
export function unpackedFrame(
  bytes: Bytes,
  size: number,
  { Decompress, store, damaged }: FrameContext,
): Uint8Array {
  const frame = frameIn(bytes, damaged);
  if (frame.size !== undefined && frame.size !== size) damaged();
  store(frame.window);
  try {
    const content = inflated(bytes.file.bytes, size, Decompress, { tooLong: damaged, damaged });
    return content.length === size ? content : damaged();
  } catch (error) {
    // Of bytes that it did not expect the library makes any error.
    if (error instanceof SphexError) throw error;
    return damaged();
  }
}

/** Walks over a frame, and sees that it ends with the bytes. */
function frameIn(bytes: Bytes, damaged: () => never): Frame {
  const little = (count: number): number => {
    const start = bytes.take(count, "Zstandard frame");
    let value = 0;
    for (let at = 0; at < count; at++) value += bytes.view.getUint8(start + at) * 256 ** at;
    return value;
  };
  if (little(4) !== sign) damaged();
  const flags = little(1);
  const isOneSegment = (flags & 32) !== 0;
  const descriptor = isOneSegment ? 0 : little(1);
  // With a dictionary, which nobody has here, a frame is not what it seems.
  if ((flags & 3) !== 0) damaged();
  const width = element([isOneSegment ? 1 : 0, 2, 4, 8], flags >> 6);
  const size = width === 0 ? undefined : little(width) + (width === 2 ? 256 : 0);
  const base = 2 ** (10 + (descriptor >> 3));
  const window = isOneSegment ? (size ?? 0) : base + (base / 8) * (descriptor & 7);
  for (let isLast = false; !isLast; ) {
    const block = little(3);
    isLast = (block & 1) === 1;
    bytes.take(((block >> 1) & 3) === repeated ? 1 : block >> 3, "Zstandard frame");
  }
  if ((flags & 4) !== 0) bytes.take(checksumBytes, "Zstandard frame");
  if (bytes.left > 0) damaged();
  return { window, size };
}
