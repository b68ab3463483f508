import { eventSchema, type SkeinEvent } from "@skein/contracts";

/** The events of a stream, as they arrive, until it ends or `signal` is aborted. What a newer server adds is left out. */
export async function* readEvents(response: Response, signal: AbortSignal): AsyncGenerator<SkeinEvent, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  // the signal of a request does not end a stream within the same process
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const frames = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const event = parseFrame(frame);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

function parseFrame(frame: string): SkeinEvent | undefined {
  const data = frame
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trimStart()] : []))
    .join("\n");
  if (data === "") return undefined;
  try {
    return eventSchema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}
