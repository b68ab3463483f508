import { eventSchema, type SkeinEvent } from "@skein/contracts";

/** The events of a stream, as they arrive. What a newer server adds is left out. Ends with the stream. */
export async function* readEvents(response: Response): AsyncGenerator<SkeinEvent, void> {
  if (response.body === null) return;
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const event = parseFrame(frame);
      if (event !== undefined) yield event;
    }
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
