import { StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { createConnection, createProtocolConnection, ProposedFeatures } from "vscode-languageserver";
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
  const [reader, writer] = [new StreamMessageReader(input), new StreamMessageWriter(output)];
  return new Promise((resolve) => {
    let stop = (): void => {};
    const life = {
      shutdownReceived: false,
      initialize: (): void => {},
      exit: (): void => {
        stop();
        connection.dispose();
        resolve(life.shutdownReceived ? 0 : 1);
      },
    };
    const connection = createConnection(
      (logger) => createProtocolConnection(reader, writer, logger),
      life,
      ProposedFeatures.all,
    );
    stop = answer(connection, host);
    reader.onClose(() => life.exit());
    connection.listen();
  });
}
