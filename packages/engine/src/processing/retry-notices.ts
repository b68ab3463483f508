import type { AgentOutput, MessageId, ModelFailureText, NoticeText } from "@skein/contracts";
import { RecentMap } from "../collections/recent-map.ts";
import { keepStart } from "../text/truncate.ts";
import type { ProcessedStep } from "./message-processor.ts";
import type { ProcessorCore, ProcessorState, RetrySeries } from "./processor-state.ts";
import type { StandaloneMessages } from "./standalone-messages.ts";

const maxSeries = 16;
const maxReasonLength = 1000;

/**
 * One notice per message whose model call is retried: it shows the delay, is updated with every retry, and is settled when the new stream
 * produces output or the execution ends. An immediate retry shows none.
 */
export class RetryNotices {
  readonly #standalone: StandaloneMessages;
  readonly #waiting: RecentMap<MessageId, RetrySeries>;

  constructor(standalone: StandaloneMessages, state?: ProcessorState) {
    this.#standalone = standalone;
    this.#waiting = new RecentMap(maxSeries, state?.retries);
  }

  wait({ messageId, attempt, delayMs, reason, at }: Extract<AgentOutput, { type: "retry" }>, step: ProcessedStep): void {
    if (delayMs === 0) return;
    const series: RetrySeries = { at: this.#waiting.get(messageId)?.at ?? at, attempt, reason: keepReason(reason) };
    this.#waiting.set(messageId, series);
    this.#show(messageId, series, { code: "retry-waiting", reason: series.reason, attempt, delayMs }, step);
  }

  /** The new stream produces output. */
  goOn(messageId: MessageId, step: ProcessedStep): void {
    const series = this.#waiting.get(messageId);
    if (series === undefined) return;
    this.#waiting.delete(messageId);
    this.#show(messageId, series, { code: "retry-succeeded", reason: series.reason, attempt: series.attempt }, step);
  }

  /** Nothing more comes. */
  settle(step: ProcessedStep): void {
    for (const [messageId, series] of this.#waiting.entries()) {
      this.#show(messageId, series, { code: "retry-failed", reason: series.reason, attempt: series.attempt }, step);
      this.#waiting.delete(messageId);
    }
  }

  save(): Pick<ProcessorCore, "retries"> {
    return { retries: this.#waiting.entries() };
  }

  #show(messageId: MessageId, { at }: RetrySeries, text: NoticeText, step: ProcessedStep): void {
    const id = `${messageId}-retry` as MessageId;
    this.#standalone.showNotice({ type: "notice", messageId: id, text, code: "retry", at }, step);
  }
}

/** A provider may return a whole page. */
function keepReason(reason: ModelFailureText): ModelFailureText {
  if (typeof reason === "string") return keepStart(reason, maxReasonLength);
  return "said" in reason ? { ...reason, said: keepStart(reason.said, maxReasonLength) } : reason;
}
