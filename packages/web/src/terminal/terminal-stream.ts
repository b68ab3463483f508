import type { AttemptId, TerminalExit, TerminalId, TerminalOutput, TerminalSize } from "@skein/contracts";
import { ApiError } from "../api/api-error.ts";
import { terminalApi } from "../api/terminal-api.ts";

const retryMs = 800;

/** Callbacks of a stream. */
export interface TerminalListener {
  /** Resolves when it is shown: the program waits for a viewer that is behind. `isReplay`: it was printed before the stream began. */
  onOutput(bytes: Uint8Array<ArrayBuffer>, isReplay: boolean): Promise<void>;
  /** The connection was lost, or is there again. */
  onConnected(isConnected: boolean): void;
  /** The last call. Null: the terminal is no longer there. */
  onExit(exit: TerminalExit | null): void;
}

/** A viewer's connection to a terminal. */
export interface TerminalStream {
  type(data: string): void;
  resize(size: TerminalSize): void;
  close(): void;
}

/** Shows a terminal from the beginning of what is kept, and connects again whenever the connection ends. */
export function openTerminalStream(attemptId: AttemptId, id: TerminalId, listener: TerminalListener): TerminalStream {
  const closing = new AbortController();
  const { signal } = closing;
  let typed = "";
  let isTyping = false;
  let at = 0;
  /** End of what was printed before the first connection. */
  let replayEnd: number | undefined;

  /** One request at a time keeps the order of the keys. What a lost connection takes with it is not sent again. */
  async function sendTyped(): Promise<void> {
    if (isTyping) return;
    isTyping = true;
    while (typed !== "" && !signal.aborted) {
      const data = typed;
      typed = "";
      await terminalApi.type(attemptId, id, data).catch(() => listener.onConnected(false));
    }
    isTyping = false;
  }

  async function take(line: string): Promise<TerminalExit | null> {
    const { start, data, end, exit } = JSON.parse(line) as TerminalOutput;
    replayEnd ??= end;
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    at = start + bytes.length;
    if (bytes.length > 0) await listener.onOutput(bytes, start < replayEnd);
    return at >= end ? exit : null;
  }

  async function readOnce(): Promise<TerminalExit | null> {
    const response = await terminalApi.read(attemptId, id, at, signal);
    listener.onConnected(true);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; reader !== undefined; ) {
      const { done, value } = await reader.read();
      if (done) return null;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const exit = await take(line);
        if (exit !== null) return exit;
      }
    }
    return null;
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        const exit = await readOnce();
        if (exit !== null) return listener.onExit(exit);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && error.problem.status === 404) return listener.onExit(null);
        listener.onConnected(false);
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  void follow();
  return {
    type(data) {
      typed += data;
      void sendTyped();
    },
    resize: (size) => void terminalApi.resize(attemptId, id, size).catch(() => {}),
    close: () => closing.abort(),
  };
}
