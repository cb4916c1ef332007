import type { Requester, RequestOptions } from "./panel.js";
import type {
  Failure,
  FromWorker,
  NoteOf,
  PageProblem,
  RequestName,
  RequestOf,
  ResponseOf,
  ToWorker,
  WorkerMessage,
} from "./protocol.js";

/** A worker, or a port to handlers on the same thread. */
export interface WorkerPort {
  send(message: ToWorker): void;
  listen(receive: (messages: FromWorker) => void): void;
  /** Ends it, whatever it does; handlers on the same thread cannot be ended. */
  readonly terminate?: (() => void) | undefined;
}

/** Why there is no answer: problems of what was asked, or a defect of Sphex. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly problems: readonly PageProblem[];
  readonly isCancelled: boolean;

  constructor({ message, problems, isCancelled }: Failure) {
    super(message);
    this.problems = problems;
    this.isCancelled = isCancelled;
  }
}

interface Pending {
  readonly resolve: (response: unknown) => void;
  readonly reject: (failure: RequestFailure) => void;
  readonly note: ((note: unknown) => void) | undefined;
}

/**
 * How long a run may go on after it was aborted, in milliseconds, before its worker is replaced: somebody waits for the end of
 * one that was cancelled; one that another text has superseded is likely to be over sooner than a new worker is ready.
 */
const patience = { cancelled: 400, superseded: 2000 } as const;

/** The reason of an abort, where the page goes on with something else. */
export const superseded = "superseded";

const cancelled: Failure = { message: "cancelled", problems: [], isCancelled: true };

/**
 * Requests to a worker, each with an answer. A request that is cancelled ends at once here; where the worker does not come
 * to rest soon, another one takes its place, and what else was asked is answered by a failure.
 */
export class Connection {
  private port: WorkerPort;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  /** Whether the worker has ever answered: before that it is being loaded. */
  private isReady = false;

  constructor(
    private readonly connect: () => WorkerPort,
    /** Called when another worker has taken the place of one that knew something. */
    private readonly onRestart: () => void,
  ) {
    this.port = this.open();
  }

  readonly request: Requester = <Name extends RequestName>(
    name: Name,
    request: RequestOf<Name>,
    { signal, note }: RequestOptions<Name> = {},
  ): Promise<ResponseOf<Name>> => {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(new RequestFailure(cancelled));
      this.pending.set(id, {
        resolve: (response) => resolve(response as ResponseOf<Name>), // the worker keeps to the protocol
        reject,
        note: note && ((each) => note(each as NoteOf<Name>)),
      });
      signal?.addEventListener("abort", () => this.cancel(id, signal.reason === superseded), { once: true });
      this.port.send({ id, name, request });
    });
  };

  private open(): WorkerPort {
    const port = this.connect();
    port.listen((messages) => {
      for (const each of messages) this.receive(each);
    });
    return port;
  }

  private receive(message: WorkerMessage): void {
    this.isReady = true;
    const pending = this.pending.get(message.id);
    if (pending === undefined) return;
    if ("note" in message) return pending.note?.(message.note);
    this.pending.delete(message.id);
    if ("failure" in message) pending.reject(new RequestFailure(message.failure));
    else pending.resolve(message.response);
  }

  private cancel(id: number, isSuperseded: boolean): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.port.send({ id, cancel: true });
    const wait = isSuperseded ? patience.superseded : patience.cancelled;
    const check = (): void => {
      if (this.pending.get(id) !== pending) return;
      if (this.isReady) this.restart();
      else setTimeout(check, wait);
    };
    setTimeout(check, wait);
  }

  private restart(): void {
    if (this.port.terminate === undefined) return;
    this.port.terminate();
    const lost = [...this.pending.values()];
    this.pending.clear();
    this.isReady = false;
    this.port = this.open();
    for (const { reject } of lost) reject(new RequestFailure(cancelled));
    this.onRestart();
  }
}
