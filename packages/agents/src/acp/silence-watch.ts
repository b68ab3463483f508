import { arrayField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

/** How long an agent may be silent before the user sees that Skein is still waiting. */
export const silentAfterMs = 15_000;
const checkMs = 5000;

/** Its name in the log: no agent sends such an update. */
export const silenceUpdate = "skein_silence";

/**
 * Several agents retry failed requests for minutes without any output. While a prompt runs and no tool or question is open, the silence
 * is written to the log, and the decoder keeps one line about it up to date.
 */
export interface SilenceWatch {
  /** Any message of the agent. */
  see(message: JsonObject): void;
  /** A prompt has started; the returned function ends it. */
  begin(): () => void;
}

export function createSilenceWatch(input: {
  log(line: string): void;
  /** The agent waits for the user. */
  isWaiting?: () => boolean;
  now?: () => number;
}): SilenceWatch {
  const { log, isWaiting = () => false, now = Date.now } = input;
  const open = new Set<string>();
  let lastAt = now();

  function check(): void {
    if (isWaiting()) lastAt = now();
    const silentMs = now() - lastAt;
    if (silentMs < silentAfterMs || open.size > 0) return;
    log(JSON.stringify(toLine(Math.round(silentMs / 1000))));
  }

  return {
    see(message) {
      lastAt = now();
      const params = objectField(message, "params");
      const asked = message.method === "session/request_permission" ? objectField(params, "toolCall") : undefined;
      const update = asked ?? objectField(params, "update");
      const id = stringField(update, "toolCallId");
      if (id === undefined) {
        // activity: an agent that never ends a denied call does not wait for it
        if (arrayField(update, "content") !== undefined || objectField(update, "content") !== undefined) open.clear();
        return;
      }
      const status = stringField(update, "status");
      if (status === "completed" || status === "failed") open.delete(id);
      else open.add(id);
    },
    begin() {
      lastAt = now();
      open.clear();
      const timer = setInterval(check, checkMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

function toLine(seconds: number): JsonObject {
  return { jsonrpc: "2.0", method: "session/update", params: { update: { sessionUpdate: silenceUpdate, seconds } } };
}
