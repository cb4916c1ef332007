import type { Readable, Writable } from "node:stream";
import type { Conversation as Shared } from "../index.js";

/** What a conversation on this machine is started with. */
export type Conversation = Shared<Readable, Writable>;
