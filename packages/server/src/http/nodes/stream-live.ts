import type { Services } from "../../services/services.ts";
import { createOutbox } from "../events/outbox.ts";

/** A server that does not read is disconnected, and reconnects. */
const maxBytes = 16 * 1024 * 1024;
/** Distinguishes a lost connection from one without news. */
const beatMs = 5000;

/** Lines of JSON, see `liveLineSchema`; an empty line keeps the connection alive. */
export async function streamLive({ nodes }: Pick<Services, "nodes">): Promise<Response> {
  const encoder = new TextEncoder();
  let stop = (): void => {};
  const outbox = createOutbox({ maxBytes, onClose: () => close() });
  const push = (text: string): void => {
    if (!outbox.push(encoder.encode(`${text}\n`))) outbox.abort();
  };
  const beat = setInterval(() => push(""), beatMs).unref();
  const close = (): void => {
    clearInterval(beat);
    stop();
  };
  push("");
  stop = await nodes.followLive((line) => push(JSON.stringify(line)));
  if (!outbox.isOpen) close();
  return new Response(outbox.stream, { headers: { "content-type": "application/x-ndjson", connection: "close" } });
}
