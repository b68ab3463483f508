/** Larger than any message with the maximum number of images. */
const maxLineLength = 256 * 1024 * 1024;

/** A request from the server to a runner: one line of JSON over its socket, with the key that only these two have. */
export type ToRunner = { type: "stdin"; data: string } | { type: "stop" };

/** Undefined for an invalid request. Uses no schema library, so that the runner starts fast. */
export function parseToRunner(line: string): { request: ToRunner; key: string } | undefined {
  try {
    const { type, data, key } = (JSON.parse(line) ?? {}) as Record<string, unknown>;
    if (typeof key !== "string") return undefined;
    if (type === "stop") return { request: { type }, key };
    return type === "stdin" && typeof data === "string" ? { request: { type, data }, key } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * `waiting`: the agent has exited, and its output will be written when there is space; the runner must live until then. `log`: the log
 * has grown to `size` bytes. `exited`: exit.json exists and the log is complete. `control-refused`: control lines without the key were
 * rejected; sent once to each server that connects.
 */
export type FromRunner = { type: "log"; size: number } | { type: "exited" } | { type: "control-refused" } | { type: "waiting" };

/** Undefined for an invalid report: any process of this user may have replaced the socket. */
export function parseFromRunner(line: string): FromRunner | undefined {
  try {
    const { type, size } = (JSON.parse(line) ?? {}) as Record<string, unknown>;
    if (type === "exited" || type === "control-refused" || type === "waiting") return { type };
    return type === "log" && typeof size === "number" ? { type, size } : undefined;
  } catch {
    return undefined;
  }
}

/** Splits a text stream into lines and buffers the incomplete one. `onEndless` is called if that exceeds the line limit. */
export function createLineSplitter(onLine: (line: string) => void, onEndless: () => void = () => {}): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(line);
    if (rest.length <= maxLineLength) return;
    rest = "";
    onEndless();
  };
}
