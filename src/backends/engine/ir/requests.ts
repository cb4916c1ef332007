import type { Request } from "../plan/planned.js";
import type { Buffer } from "../values/value.js";

/** The buffers that a request looks at. */
export function requestedBuffers(request: Request): readonly Buffer[] {
  if (request.kind === "tensor") return request.call.operands.map(({ access }) => access.slot);
  return [request.access.slot];
}
