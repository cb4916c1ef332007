import { Message, type ResponseMessage, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import {
  createConnection,
  createProtocolConnection,
  LSPErrorCodes,
  ProposedFeatures,
} from "vscode-languageserver";
import { Arrivals } from "./arrivals.js";
import type { EditorHost } from "./host.js";
import { answer } from "./server.js";

/**
 * Answers an editor on two streams, until it says that it ends or its stream does. The result is an exit code as the protocol
 * has it: 0 where the editor asked for an end before, 1 otherwise.
 */
export function serveEditor(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  host: EditorHost,
): Promise<number> {
  const arrivals = new Arrivals(input, host.readNow);
  const reader = new StreamMessageReader(arrivals.stream);
  const writer = new StreamMessageWriter(output);
  return new Promise((resolve) => {
    let stop = (): void => {};
    let isOver = false;
    const life = {
      shutdownReceived: false,
      initialize: (): void => {},
      exit: (): void => {
        if (isOver) return;
        isOver = true;
        stop();
        connection.dispose();
        resolve(life.shutdownReceived ? 0 : 1);
      },
    };
    const connection = createConnection(
      (logger) => createProtocolConnection(reader, writer, logger, { cancelUndispatched }),
      life,
      ProposedFeatures.all,
    );
    stop = answer(connection, host, arrivals);
    // A file ends, such as /dev/null, and is not closed; a pipe or a socket may be closed without an end.
    input.once("end", () => afterTurns(turnsAtEnd, () => life.exit()));
    reader.onClose(() => afterTurns(turnsAtEnd, () => life.exit()));
    connection.listen();
  });
}

/** A request that is called off before its turn has come gets no other answer, and costs nothing. */
const cancelUndispatched = (message: Message): ResponseMessage => ({
  ...{ jsonrpc: message.jsonrpc, id: Message.isRequest(message) ? message.id : null },
  error: { code: LSPErrorCodes.RequestCancelled, message: "the request was cancelled" },
});

/** Turns of the event loop in which what came before the end of a stream is read and answered: each message takes a few. */
const turnsAtEnd = 1000;

function afterTurns(turns: number, act: () => void): void {
  if (turns === 0) act();
  else setImmediate(() => afterTurns(turns - 1, act));
}
