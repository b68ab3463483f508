import type { Terminal, TerminalExit, TerminalOutput } from "@skein/contracts";
import { vi } from "vitest";
import type { RealServer } from "./real-server.ts";

/** Reads a terminal as a viewer does: from an offset, again after each connection that ends. */
export interface TerminalReader {
  /** Everything that was received. */
  readonly text: string;
  readonly bytes: number;
  /** Bytes that were no longer kept. */
  readonly skipped: number;
  readonly exit: TerminalExit | null;
  waitFor(text: string | RegExp): Promise<void>;
  type(data: string): Promise<void>;
  close(): void;
}

export function readTerminal(server: RealServer, path: string): TerminalReader {
  const stopping = new AbortController();
  let [text, at, bytes, skipped] = ["", 0, 0, 0];
  let exit: TerminalExit | null = null;
  const decoder = new TextDecoder();

  async function readOnce(): Promise<void> {
    const { headers, url } = server.api;
    const response = await fetch(`${url}${path}/output?from=${at}`, { headers, signal: stopping.signal });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    let rest = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(JSON.parse(line) as TerminalOutput);
    }
  }

  function take(output: TerminalOutput): void {
    const data = Buffer.from(output.data, "base64");
    skipped += output.start - at;
    at = output.start + data.length;
    bytes += data.length;
    text = (text + decoder.decode(data, { stream: true })).slice(-1_000_000);
    exit = output.exit;
  }

  void (async () => {
    while (!stopping.signal.aborted && exit === null) {
      // the server restarts
      await readOnce().catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }
  })();
  return {
    get text() {
      return text;
    },
    get bytes() {
      return bytes;
    },
    get skipped() {
      return skipped;
    },
    get exit() {
      return exit;
    },
    waitFor: (wanted) =>
      vi.waitFor(
        () => {
          if (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) return;
          throw new Error(`not printed: ${wanted}\n${text.slice(-2000)}`);
        },
        { timeout: 60_000, interval: 20 },
      ),
    type: (data) => server.api.request("POST", `${path}/input`, { data }),
    close: () => stopping.abort(),
  };
}

export async function openTerminal(server: RealServer, attemptId: string): Promise<TerminalReader & { terminal: Terminal; path: string }> {
  const terminals = `/api/attempts/${attemptId}/terminals`;
  const terminal = await server.api.request<Terminal>("POST", terminals, { columns: 90, rows: 25 });
  const path = `${terminals}/${terminal.id}`;
  const reader = readTerminal(server, path);
  return Object.defineProperties({ terminal, path }, Object.getOwnPropertyDescriptors(reader)) as ReturnType<typeof readTerminal> & {
    terminal: Terminal;
    path: string;
  };
}
