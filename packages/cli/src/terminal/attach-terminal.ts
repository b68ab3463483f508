import { setTimeout as wait } from "node:timers/promises";
import { type TerminalExit, type TerminalSize, terminalOutputSchema } from "@skein/contracts";
import { removeTerminalAnswers } from "@skein/engine";
import type { ApiClient } from "../client/api-client.ts";

/** As in telnet. */
const detachKey = "\u001d";
export const detachKeyName = "Ctrl-]";
const retryMs = 500;
/** A terminal answers within this time. */
const answersMs = 150;
const emptied = "\u001b[?1049l\u001b[?25h\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[0m";

/** Connects stdin and stdout to a terminal of the server, until the user detaches or its shell ends. Connects again after a restart. */
export async function attachTerminal(client: ApiClient, path: string, size: TerminalSize): Promise<"detached" | TerminalExit> {
  const { stdin, stdout } = process;
  const stopping = new AbortController();
  const post = (what: string, body: unknown) =>
    client.request(`${path}/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  let typed = "";
  let isSending = false;
  /** What was printed before is shown: the terminal answers questions in it. */
  let isReplaying = false;

  const endReplay = (): void => {
    isReplaying = false;
  };

  /** One request at a time keeps the order of the keys. */
  async function sendTyped(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (typed !== "") {
      const data = typed;
      typed = "";
      await post("input", { data }).catch(() => {}); // the server restarts: keys are not sent again
    }
    isSending = false;
  }

  function onKey(data: Buffer): void {
    const text = data.toString();
    const detached = text.indexOf(detachKey);
    const keys = detached === -1 ? text : text.slice(0, detached);
    typed += isReplaying ? removeTerminalAnswers(keys) : keys;
    void sendTyped();
    if (detached !== -1) stopping.abort();
  }

  const onResize = (): void => void post("size", { columns: stdout.columns, rows: stdout.rows }).catch(() => {});

  async function read(): Promise<"detached" | TerminalExit> {
    let at = 0;
    /** End of what was printed before. */
    let replayEnd: number | undefined;
    for (;;) {
      try {
        const response = await client.request(`${path}/output?from=${at}`, { signal: stopping.signal });
        for await (const line of readLines(response)) {
          const { start, data, end, exit } = terminalOutputSchema.parse(JSON.parse(line));
          const bytes = Buffer.from(data, "base64");
          at = start + bytes.length;
          replayEnd ??= end;
          const isReplay = bytes.length > 0 && start < replayEnd;
          if (isReplay) isReplaying = true;
          if (!stdout.write(bytes)) await new Promise((resolve) => stdout.once("drain", resolve));
          if (isReplay && at >= replayEnd) setTimeout(endReplay, answersMs).unref();
          if (exit !== null && at >= end) return exit;
        }
      } catch (error) {
        if (stopping.signal.aborted) return "detached";
        // it was closed elsewhere
        if (error instanceof Error && "problem" in error) throw error;
        await wait(retryMs);
      }
      if (stopping.signal.aborted) return "detached";
    }
  }

  stdin.setRawMode(true);
  stdin.resume();
  stdin.on("data", onKey);
  stdout.on("resize", onResize);
  await post("size", size).catch(() => {});
  try {
    return await read();
  } finally {
    stdin.off("data", onKey);
    stdout.off("resize", onResize);
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(emptied);
  }
}

/** Lines of a response that does not end by itself. */
export async function* readLines(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
