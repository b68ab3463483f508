/** Reads a stream of server-sent events, and measures the delay of every line of a replayed agent. */
export async function listenForDelays(url, headers = {}) {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  if (!response.ok) throw new Error(`no event stream: ${response.status}`);
  const delays = new Map();
  const ended = read(response.body, delays).catch(() => {});
  return {
    /** `{ sentAt, ms }` by the name of the line: one entry however often it arrived. */
    delays,
    async close() {
      abort.abort();
      await ended;
    },
  };
}

async function read(body, delays) {
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const now = performance.timeOrigin + performance.now();
    const text = rest + chunk;
    for (const [, sentAt, name] of text.matchAll(/sentAt=([\d.]+)@([\d-]+);/g)) {
      if (!delays.has(name)) delays.set(name, { sentAt: Number(sentAt), ms: now - Number(sentAt) });
    }
    rest = text.slice(-60); // a line that was split
  }
}

export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}
