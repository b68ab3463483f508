import type { LogLine } from "@skein/engine";
import { readRecording } from "../recordings/read-recording.fixture.ts";

interface Recorded {
  dir: "sse" | "http";
  ms: number;
  event?: { type: string; properties: { info?: { time: { created: number } } } };
}

/** The events of a recording of HTTP and SSE, at the times of the server's own clock: it says in them when it will try again. */
export function readServeRecording(name: string): LogLine[] {
  const recorded = readRecording("opencode", name).map((line) => JSON.parse(line.text) as Recorded);
  const first = recorded.find(({ event }) => event?.type === "session.created");
  const start = (first?.event?.properties.info?.time.created ?? 0) - (first?.ms ?? 0);
  let offset = 0;
  return recorded.flatMap(({ ms, event }) => {
    if (event === undefined) return [];
    const line = { text: JSON.stringify(event), offset, at: start + ms };
    offset += Buffer.byteLength(line.text) + 1;
    return [line];
  });
}
