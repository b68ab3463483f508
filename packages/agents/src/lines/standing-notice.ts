import type { MessageId, MessageText } from "@skein/contracts";
import type { LineContext } from "./json-line-decoder.ts";

export type StandingNoticeState = { messageId: MessageId; at: number; count: number } | null;

/** One notice about something that lasts, such as retries: each report updates it instead of adding another one. */
export class StandingNotice {
  readonly #code: string;
  #shown: StandingNoticeState;

  constructor(code: string, state?: StandingNoticeState) {
    this.#code = code;
    this.#shown = state ?? null;
  }

  /** `toText` gets the number of reports, including this one. */
  show(toText: (count: number) => MessageText, { ids, at, emit }: LineContext): void {
    const { messageId, at: since, count } = this.#shown ?? { messageId: ids.next(), at, count: 0 };
    this.#shown = { messageId, at: since, count: count + 1 };
    emit({ type: "notice", messageId, text: toText(count + 1), code: this.#code, at: since });
  }

  /** It is over: the notice stays, with the text of `toText` if given. Later reports get a new notice. */
  close(context: LineContext, toText?: (lastedMs: number) => MessageText): void {
    const shown = this.#shown;
    if (shown === null) return;
    this.#shown = null;
    if (toText === undefined) return;
    context.emit({ type: "notice", messageId: shown.messageId, text: toText(context.at - shown.at), code: this.#code, at: shown.at });
  }

  save(): StandingNoticeState {
    return this.#shown && { ...this.#shown };
  }
}
