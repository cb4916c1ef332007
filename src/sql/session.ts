import type { ResultColumns } from "../backends/sql/reading.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import type { SqlConnection, SqlEngine } from "./driver.js";
import { problem } from "./messages.js";

/** How long the queries of a session may take, and what stops them. */
export interface SessionOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
}

/** A connection for one run: whatever happens it is closed in the end, and what the engine says becomes a problem. */
export class Session {
  private constructor(
    private readonly engine: SqlEngine,
    private readonly connection: SqlConnection,
    private readonly span: Span,
    private readonly signal: AbortSignal | undefined,
  ) {}

  static async with<T>(
    engine: SqlEngine,
    span: Span,
    { signal, timeout }: SessionOptions,
    use: (session: Session) => Promise<T>,
  ): Promise<T> {
    const signals = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)].filter(
      (each) => each !== undefined,
    );
    const either = signals.length === 0 ? undefined : AbortSignal.any(signals);
    let connection: SqlConnection;
    try {
      connection = await engine.connect(either);
    } catch (error) {
      throw problemOf(error, engine, span, either);
    }
    const session = new Session(engine, connection, span, either);
    try {
      return await use(session);
    } finally {
      await connection.close();
    }
  }

  async query(text: string): Promise<ResultColumns> {
    try {
      return await this.connection.query(text, { signal: this.signal });
    } catch (error) {
      throw problemOf(error, this.engine, this.span, this.signal);
    }
  }
}

/** What an engine threw, as a problem. */
function problemOf(error: unknown, { name }: SqlEngine, span: Span, signal: AbortSignal | undefined): Error {
  if (error instanceof SphexError) return error;
  if (signal?.aborted === true) {
    const isTimeout = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    const reason = isTimeout ? "it took longer than it may" : "it was interrupted";
    return new SphexError([problem("engine/stopped", span, { engine: name, reason })]);
  }
  const reason = (error instanceof Error ? error.message : `${error}`).split("\n")[0] ?? "";
  return new SphexError([problem("engine/failed", span, { engine: name, reason })]);
}
