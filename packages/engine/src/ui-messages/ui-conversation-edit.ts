import type { MessageBody } from "@skein/contracts";
import { type AcceptedMessage, normalizeMessage } from "../legacy/normalize-message.ts";
import { emptyLedger, recordResult, recordUse, type ToolLedger } from "../pairing/tool-ledger.ts";
import { toParts, toResultPart, withResult } from "./to-parts.ts";
import type { PartPlace, UIConversation, UIMessage, UIPart, UIToolPart, UnmatchedResult } from "./ui-message.ts";

/** A message of a history, in any accepted form. */
export interface UIInput {
  id: string | number;
  body: AcceptedMessage;
}

/** Adds messages to a UI conversation and copies what it changes once. */
export class UIConversationEdit {
  readonly #messages: UIMessage[];
  readonly #ledgers: Map<string, ToolLedger<PartPlace, PartPlace>>;
  #reports: UnmatchedResult[];
  #nextKey: number;

  constructor(from: UIConversation) {
    this.#messages = [...from.messages];
    this.#ledgers = new Map(from.ledgers);
    this.#reports = [...from.reports];
    this.#nextKey = from.nextKey;
  }

  add({ id, body }: UIInput): void {
    for (const one of normalizeMessage(body)) {
      if (one.role === "tool") this.#addResults(id, one);
      else this.#addMessage(id, one);
    }
  }

  finish(): UIConversation {
    return { messages: this.#messages, reports: this.#reports, ledgers: this.#ledgers, nextKey: this.#nextKey };
  }

  #addMessage(id: string | number, body: Exclude<MessageBody, { role: "tool" }>): void {
    const key = this.#nextKey++;
    const parts = toParts(body);
    this.#messages.push({ key, id, role: body.role, parts });
    parts.forEach((part, i) => {
      if (part.type !== "tool") return;
      const { ledger, result } = recordUse(this.#ledger(part.id), { key, part: i });
      this.#ledgers.set(part.id, ledger);
      if (result !== undefined) this.#claim(part.id, { key, part: i }, result);
    });
  }

  #addResults(id: string | number, body: Extract<MessageBody, { role: "tool" }>): void {
    const key = this.#nextKey++;
    const unmatched: UIPart[] = [];
    for (const part of body.content) {
      const shown = toResultPart(part);
      const { ledger, outcome } = recordResult(this.#ledger(part.toolCallId), { key, part: unmatched.length });
      this.#ledgers.set(part.toolCallId, ledger);
      if (outcome.type === "paired") {
        this.#change(outcome.use, (call) => withResult(call, shown));
        continue;
      }
      unmatched.push(shown);
      this.#reports.push({ type: "unmatched-result", messageId: id, toolCallId: part.toolCallId });
    }
    if (unmatched.length > 0) this.#messages.push({ key, id, role: "tool", parts: unmatched });
  }

  /** The call of a result that was shown by itself has arrived: the result moves to it. */
  #claim(toolCallId: string, use: PartPlace, result: PartPlace): void {
    const index = this.#find(result.key);
    const message = this.#messages[index];
    const shown = message?.parts[result.part];
    if (message === undefined || shown?.type !== "tool") return;
    this.#change(use, (call) => withResult(call, shown));
    const parts = message.parts.with(result.part, claimedPart);
    if (parts.every((part) => part === claimedPart)) this.#messages.splice(index, 1);
    else this.#messages[index] = { ...message, parts };
    const reported = this.#reports.findIndex((report) => report.messageId === message.id && report.toolCallId === toolCallId);
    if (reported >= 0) this.#reports.splice(reported, 1);
  }

  #change({ key, part }: PartPlace, change: (call: UIToolPart) => UIToolPart): void {
    const index = this.#find(key);
    const message = this.#messages[index];
    const call = message?.parts[part];
    if (message === undefined || call?.type !== "tool") return;
    this.#messages[index] = { ...message, parts: message.parts.with(part, change(call)) };
  }

  #ledger(id: string): ToolLedger<PartPlace, PartPlace> {
    return this.#ledgers.get(id) ?? emptyLedger;
  }

  /** Keys increase, so a message is found by binary search. */
  #find(key: number): number {
    let low = 0;
    let high = this.#messages.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#messages[middle]?.key ?? Number.POSITIVE_INFINITY;
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

// Placeholder for a part that was moved, so that the positions in the ledgers stay valid.
const claimedPart: UIPart = { type: "text", text: "" };
