import { isSessionId, type JsonValue, type Usage } from "@skein/contracts";
import { type AgentDecoder, objectField, stringField } from "@skein/engine";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { toErrorMessage } from "../lines/error-text.ts";
import { createJsonLineDecoder, type DecoderOptions, type LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toCodexItem } from "./codex-item.ts";
import { CodexItems, type CodexItemsState } from "./codex-items.ts";
import { subtractUsage, toCodexUsage } from "./codex-usage.ts";

const kind = { decoder: "codex-exec", version: 2 } as const;

type State = DecoderState & { items: CodexItemsState; usageBefore: Usage };

/**
 * Decodes `codex exec --json`. An interrupted thread just stops, and an invalid configuration, an unknown thread or a folder that is not
 * a git repository print nothing to stdout: then there is no `end`, and the exit status is the result.
 */
export function createCodexExecDecoder(options: DecoderOptions): Required<AgentDecoder> {
  const state = options.snapshot === undefined ? undefined : readDecoderSnapshot<State>(options.snapshot, kind);
  const items = new CodexItems(state?.items);
  // a resumed thread reports its total
  let usageBefore = state?.usageBefore ?? {};

  function read(value: JsonObject, context: LineContext): boolean {
    const { ids, at, emit } = context;
    switch (stringField(value, "type")) {
      case "thread.started": {
        const sessionId = stringField(value, "thread_id");
        if (sessionId === undefined || !isSessionId(sessionId)) return false;
        emit({ type: "session", sessionId, at });
        return true;
      }
      case "turn.started":
        return true;
      // logs of earlier releases; now it is a record
      case "skein.usage-before":
        usageBefore = toCodexUsage(value.usage);
        return true;
      case "item.started":
      case "item.updated":
      case "item.completed":
        return readItem(value, context);
      case "turn.completed":
        emit({ type: "end", status: "success", usage: toTurnUsage(value.usage), at });
        return true;
      case "turn.failed": {
        const said = stringField(objectField(value, "error"), "message");
        emit({ type: "end", status: "failed", reason: toErrorMessage(said, { code: "agent-gave-no-reason", agent: "Codex" }), at });
        return true;
      }
      // Not the end: most report a retry, and a fatal error is followed by turn.failed.
      case "error":
        emit({
          type: "notice",
          messageId: ids.next(),
          text: toErrorMessage(stringField(value, "message"), { code: "agent-error", agent: "Codex" }),
          code: "agent-error",
          at,
        });
        return true;
      default:
        return false;
    }
  }

  function readItem(value: JsonObject, context: LineContext): boolean {
    const raw = objectField(value, "item");
    const id = stringField(raw, "id");
    if (raw === undefined || id === undefined) return false;
    const item = toCodexItem(raw);
    if (value.type === "item.completed") items.complete(id, item, context);
    else if (value.type === "item.started" || item.type === "plan") items.start(id, item, context);
    return true;
  }

  function toTurnUsage(usage: JsonValue | undefined): Usage {
    return subtractUsage(toCodexUsage(usage), usageBefore);
  }

  return {
    ...createJsonLineDecoder(options, { read, save: () => ({ ...kind, items: items.save(), usageBefore }) as unknown as JsonValue }),
    setUsageBefore(usage) {
      usageBefore = usage;
    },
  };
}
