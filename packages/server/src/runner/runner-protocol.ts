/** Lines of JSON over the runner's socket. */
export type ToRunner = { type: "stdin"; data: string } | { type: "stop" };

/** `log`: the log has grown to `size` bytes. `exited`: exit.json is there and the log is complete. */
export type FromRunner = { type: "log"; size: number } | { type: "exited" };

/** Splits a stream of text into its lines, keeping what is not finished yet. */
export function createLineSplitter(onLine: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(line);
  };
}
