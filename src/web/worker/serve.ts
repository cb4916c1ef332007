import { SphexError } from "../../index.js";
import { thrownText } from "../../language/source/thrown.js";
import type { Failure, FromWorker, RequestName, ToWorker, WorkerMessage } from "../protocol.js";
import type { Handler, Handlers } from "./handler.js";
import { pageProblem } from "./page-problem.js";

/** The end of a connection that the handlers are at. */
export interface ServedPort {
  postMessage(message: FromWorker): void;
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
}

/** Answers the requests that come through a port, each as soon as it can be. */
export function serve(port: ServedPort, handlers: Handlers): void {
  const running = new Map<number, AbortController>();
  const outbox = new Outbox(port);
  port.onmessage = async ({ data }) => {
    if ("cancel" in data) return running.get(data.id)?.abort();
    const { id, name, request } = data;
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const context = {
        signal: controller.signal,
        note: (note: unknown) => outbox.add({ id, note }),
      };
      const response = await handlerOf(handlers, name)(request, context);
      outbox.add({ id, response });
    } catch (error) {
      outbox.add({ id, failure: failureOf(error) });
    }
    outbox.send();
    running.delete(id);
  };
}

/** How long what is told waits for more, in milliseconds: each message costs both threads a turn. */
const gathering = 8;

/** Messages that go through a port together. */
class Outbox {
  private messages: WorkerMessage[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly port: ServedPort) {}

  add(message: WorkerMessage): void {
    this.messages.push(message);
    this.timer ??= setTimeout(() => this.send(), gathering);
  }

  send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { messages } = this;
    this.messages = [];
    if (messages.length > 0) this.port.postMessage(messages);
  }
}

/** A handler as it is called with a request that only its type knows: the page sends what the protocol has for the name. */
type AnyHandler = (
  request: unknown,
  context: { readonly signal: AbortSignal; readonly note: (note: unknown) => void },
) => unknown;

function handlerOf<Name extends RequestName>(handlers: Handlers, name: Name): AnyHandler {
  const handler: Handler<Name> = handlers[name];
  return handler as AnyHandler; // as its comment says
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof SphexError)) return { message: thrownText(error), problems: [], isCancelled: false };
  return {
    message: error.problems[0]?.message ?? error.message,
    problems: error.problems.map((each) => pageProblem(each)),
    isCancelled: error.problems.some(({ code }) => code === "limit/cancelled"),
  };
}
