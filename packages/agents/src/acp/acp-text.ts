import { objectField, stringField } from "@skein/engine";
import type { BlockAddress } from "../lines/assistant-blocks.ts";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { toContentText } from "./acp-content.ts";
import type { AcpLevels } from "./acp-levels.ts";

const maxIdLength = 200;

export type AcpTextState = (BlockAddress & { type: "text" | "thinking"; sourceId: string; parent?: string | undefined }) | null;

/** Consecutive chunks are one text, until something else arrives or the agent's message id changes. */
export class AcpText {
  readonly #levels: AcpLevels;
  #open: AcpTextState;

  constructor(levels: AcpLevels, state?: AcpTextState) {
    this.#levels = levels;
    this.#open = state ?? null;
  }

  add(type: "text" | "thinking", update: JsonObject, context: LineContext): void {
    const { ids, at, emit } = context;
    const text = toContentText(objectField(update, "content"));
    const mode = /^\[MODE_UPDATE\] ?(.*)/.exec(text)?.[1];
    if (mode !== undefined) {
      this.close();
      emit({ type: "notice", messageId: ids.next(), text: { code: "agent-mode", mode }, code: "mode", at });
      return;
    }
    const sourceId = (stringField(update, "messageId") ?? "").slice(0, maxIdLength);
    const parent = this.#levels.findParent(update, context);
    if (this.#open?.type !== type || this.#open.sourceId !== sourceId || this.#open.parent !== parent) {
      // Some agents begin every thought with empty lines, which alone would be an empty text.
      this.#open = null;
      if (text.trim() === "") return;
      this.#open = { ...this.#levels.blocksOf(parent).addText(ids), type, sourceId, ...(parent === undefined ? {} : { parent }) };
    }
    const { messageId, index } = this.#open;
    emit({ type, mode: "delta", text, messageId, index, ...(parent === undefined ? {} : { parentToolUseId: parent }), at });
  }

  close(): void {
    this.#open = null;
  }

  save(): AcpTextState {
    return this.#open && { ...this.#open };
  }
}
