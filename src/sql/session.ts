import type { ResultColumns } from "../backends/sql/rows/reading.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { thrownText } from "../language/source/thrown.js";
import { spanOfText } from "../language/values/messages.js";
import type { QueryProgress, SqlConnection, SqlEngine } from "./driver.js";
import { problem } from "./messages.js";

/** How long the queries of a run may take, what stops them, and who is told of them. */
export interface SessionOptions {
  /** Stops the query on the engine, too. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the query is stopped. */
  readonly timeout?: number | undefined;
  /** How often a run begins again after its connection was lost; it does not unless this says so. */
  readonly retries?: number | undefined;
  /** Told when a stage begins, and of its rows where the engine tells. */
  readonly progress?: ((at: EngineProgress) => void) | undefined;
}

/** What a run is at. */
export interface EngineProgress {
  readonly engine: string;
  /** Such as `checks the rows of ratings`. */
  readonly stage: string;
  readonly query?: QueryProgress;
}

/** How often a running query is asked for its rows, in milliseconds. */
const progressInterval = 500;

/** How long a run waits before it begins again, in milliseconds: twice as long each time. */
const firstPause = 250;

/** A connection that whoever asks closes. @throws SphexError where the engine has none. */
export async function connected(engine: SqlEngine, signal: AbortSignal | undefined): Promise<SqlConnection> {
  try {
    return await engineErrors(engine.connect(signal));
  } catch (error) {
    throw error instanceof EngineError
      ? problemOf(error, engine, spanOfText("engine", engine.name), signal)
      : error;
  }
}

/** A connection for one run: whatever happens it is closed in the end, and what the engine says becomes a problem. */
export class Session {
  private constructor(
    private readonly engine: SqlEngine,
    private readonly connection: SqlConnection,
    private readonly signal: AbortSignal | undefined,
    private readonly tell: SessionOptions["progress"],
  ) {}

  static async with<T>(
    engine: SqlEngine,
    span: Span,
    { signal, timeout, retries = 0, progress }: SessionOptions,
    use: (session: Session) => Promise<T>,
  ): Promise<T> {
    const signals = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)].filter(
      (each) => each !== undefined,
    );
    const either = signals.length === 0 ? undefined : AbortSignal.any(signals);
    for (let attempt = 0; ; attempt++) {
      try {
        return await Session.once(engine, either, progress, use);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        const isOver =
          attempt >= retries || either?.aborted === true || engine.isLost?.(error.cause) !== true;
        if (isOver) throw problemOf(error, engine, span, either);
        progress?.({ engine: engine.name, stage: "connects again" });
        await pause(firstPause * 2 ** attempt, either);
      }
    }
  }

  /** One attempt, whose errors are still those of the engine. */
  private static async once<T>(
    engine: SqlEngine,
    signal: AbortSignal | undefined,
    progress: SessionOptions["progress"],
    use: (session: Session) => Promise<T>,
  ): Promise<T> {
    const connection = await engineErrors(engine.connect(signal));
    try {
      return await use(new Session(engine, connection, signal, progress));
    } finally {
      await connection.close().catch(() => undefined);
    }
  }

  /** The answer to a statement; of one that is a stage, whoever listens is told. */
  async query(text: string, stage?: string): Promise<ResultColumns> {
    const running = engineErrors(this.connection.query(text, { signal: this.signal }), stage);
    const tell = this.tell;
    if (tell === undefined || stage === undefined) return await running;
    const { name } = this.engine;
    tell({ engine: name, stage });
    const timer = setInterval(async () => {
      const query = await this.connection.progress?.().catch(() => undefined);
      if (query !== undefined) tell({ engine: name, stage, query });
    }, progressInterval);
    try {
      return await running;
    } finally {
      clearInterval(timer);
    }
  }

  /** A text of the engine, without what nobody may see. */
  shown(text: string): string {
    return withoutSecrets(text, this.engine);
  }
}

/** What an engine threw, until there is no further attempt and a problem is made of it. */
class EngineError extends Error {
  constructor(
    cause: unknown,
    /** What the query was for. */
    readonly stage: string | undefined,
  ) {
    super("an engine failed", { cause });
  }
}

async function engineErrors<T>(running: Promise<T>, stage?: string): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw error instanceof SphexError ? error : new EngineError(error, stage);
  }
}

/** Waits, unless it is stopped. */
const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });

/** As much of what an engine says as a person reads. */
const longestReason = 400;

/** What an engine threw, as a problem. */
function problemOf(
  { cause: error, stage }: EngineError,
  engine: SqlEngine,
  span: Span,
  signal: AbortSignal | undefined,
): SphexError {
  const { name } = engine;
  if (signal?.aborted === true) {
    const isTimeout = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    const reason = isTimeout ? "it took longer than it may" : "it was interrupted";
    return new SphexError([problem("engine/stopped", span, { engine: name, reason })]);
  }
  const [line = ""] = thrownText(error).split("\n");
  const reason = withoutSecrets(line, engine).slice(0, longestReason);
  return new SphexError([problem("engine/failed", span, { engine: name, stage, reason })]);
}

const withoutSecrets = (text: string, { secrets = [] }: SqlEngine): string =>
  secrets.reduce((shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "***")), text);
