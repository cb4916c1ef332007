import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

/** The messages of Spark Connect, as far as statements need them: its numbers of fields are those of `spark/connect/base.proto`. */

/** Who asks, in which session of theirs. */
export interface SparkSession {
  /** A UUID. */
  readonly id: string;
  readonly user: string;
}

type Field = readonly [number: number, value: string | Uint8Array | number];

function messageOf(fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) {
    if (typeof value === "number") writer.tag(number, 0).int32(value);
    else if (typeof value === "string") writer.tag(number, 2).string(value);
    else writer.tag(number, 2).bytes(value);
  }
  return writer.finish();
}

const userOf = ({ user }: SparkSession): Uint8Array => messageOf([[1, user]]);
const client = "sphex";

/** A statement to run: ExecutePlanRequest, whose plan is a relation of SQL. */
export function executeMessage(session: SparkSession, text: string): Uint8Array {
  const relation = messageOf([[10, messageOf([[1, text]])]]);
  const plan = messageOf([[1, relation]]);
  return messageOf([
    [1, session.id],
    [2, userOf(session)],
    [3, plan],
    [4, client],
  ]);
}

/** InterruptRequest for all that a session runs. */
export const interruptMessage = (session: SparkSession): Uint8Array =>
  messageOf([
    [1, session.id],
    [2, userOf(session)],
    [3, client],
    [4, 1],
  ]);

/** ReleaseSessionRequest. */
export const releaseMessage = (session: SparkSession): Uint8Array =>
  messageOf([
    [1, session.id],
    [2, userOf(session)],
    [3, client],
  ]);

/** The stream of Arrow in an ExecutePlanResponse; nothing where it has none. */
export function arrowOf(response: Uint8Array): Uint8Array | undefined {
  const batch = bytesOf(response);
  return batch && bytesOf(batch);
}

/** The last field 2, which is bytes in the response and in the batch within it. */
function bytesOf(message: Uint8Array): Uint8Array | undefined {
  const reader = new BinaryReader(message);
  let found: Uint8Array | undefined;
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === 2) found = reader.bytes();
    else reader.skip(type, number);
  }
  return found;
}
