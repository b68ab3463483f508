/** A message with all the images that it may have is shorter. */
const maxLineLength = 256 * 1024 * 1024;

/** What the server asks of a runner, as a line of JSON over its socket, with the key that only the two of them were given. */
export type ToRunner = { type: "stdin"; data: string } | { type: "stop" };

/** Undefined for what is no request. The runner loads no schemas, so that it starts fast. */
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
 * `waiting`: the agent is gone, and what it left is written as soon as there is room for it: the runner must live until then.
 * `log`: the log has grown to `size` bytes. `exited`: exit.json is there and the log is complete. `control-refused`: something
 * without the key tried to control the agent; said once to each server that connects.
 */
export type FromRunner = { type: "log"; size: number } | { type: "exited" } | { type: "control-refused" } | { type: "waiting" };

/** Undefined for what is no notice: anybody of this user may have taken the socket's place. */
export function parseFromRunner(line: string): FromRunner | undefined {
  try {
    const { type, size } = (JSON.parse(line) ?? {}) as Record<string, unknown>;
    if (type === "exited" || type === "control-refused" || type === "waiting") return { type };
    return type === "log" && typeof size === "number" ? { type, size } : undefined;
  } catch {
    return undefined;
  }
}

/** Splits a stream of text into its lines, keeping what is not finished yet: `onEndless` is called when that is too long for a line. */
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
