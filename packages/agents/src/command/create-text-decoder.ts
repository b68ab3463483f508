import type { JsonValue, MessageId } from "@skein/contracts";
import type { AgentDecoder } from "@skein/engine";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { createLineIds } from "../lines/execution-ids.ts";
import type { DecoderOptions } from "../lines/json-line-decoder.ts";

const kind = { decoder: "text", version: 1 } as const;

type State = DecoderState & { messageId: MessageId | null };

/** Decodes a program that prints text: all of it is one answer. */
export function createTextDecoder({ executionId, snapshot }: DecoderOptions): AgentDecoder {
  let messageId = snapshot === undefined ? null : (readDecoderSnapshot<State>(snapshot, kind)?.messageId ?? null);
  return {
    decode(line) {
      const text = line.text.replace(/\r$/, "");
      if (messageId === null && text.trim() === "") return [];
      const isFirst = messageId === null;
      messageId ??= createLineIds(executionId, line).next();
      return [{ type: "text", mode: "delta", messageId, index: 0, text: isFirst ? text : `\n${text}`, at: line.at }];
    },
    snapshot: () => ({ ...kind, messageId }) as unknown as JsonValue,
  };
}
