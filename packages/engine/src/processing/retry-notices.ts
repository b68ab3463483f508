import type { AgentOutput, MessageId } from "@skein/contracts";
import { RecentMap } from "../collections/recent-map.ts";
import { keepStart } from "../text/truncate.ts";
import type { ProcessedStep } from "./message-processor.ts";
import type { ProcessorCore, ProcessorState, RetrySeries } from "./processor-state.ts";
import type { StandaloneMessages } from "./standalone-messages.ts";

const maxSeries = 16;
const maxReasonLength = 1000;

/**
 * One notice per message whose model call is made again: it says what is waited for, grows with every retry, and is settled
 * when the new stream speaks or the execution is over. A retry without a wait is over before it could be read, and shows none.
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
    const series: RetrySeries = { at: this.#waiting.get(messageId)?.at ?? at, attempt, reason: keepStart(reason, maxReasonLength) };
    this.#waiting.set(messageId, series);
    this.#show(messageId, series, `Trying again in ${toSeconds(delayMs)} (retry ${attempt}).`, step);
  }

  /** The new stream speaks. */
  goOn(messageId: MessageId, step: ProcessedStep): void {
    const series = this.#waiting.get(messageId);
    if (series === undefined) return;
    this.#waiting.delete(messageId);
    this.#show(messageId, series, `It went on after ${toTimes(series.attempt)}.`, step);
  }

  /** Nothing more comes. */
  settle(step: ProcessedStep): void {
    for (const [messageId, series] of this.#waiting.entries()) {
      this.#show(messageId, series, `It did not go on after ${toTimes(series.attempt)}.`, step);
      this.#waiting.delete(messageId);
    }
  }

  save(): Pick<ProcessorCore, "retries"> {
    return { retries: this.#waiting.entries() };
  }

  #show(messageId: MessageId, { at, reason }: RetrySeries, what: string, step: ProcessedStep): void {
    const id = `${messageId}-retry` as MessageId;
    this.#standalone.showNotice({ type: "notice", messageId: id, text: `${reason}\n${what}`, code: "retry", at }, step);
  }
}

function toSeconds(delayMs: number): string {
  return delayMs < 1000 ? `${delayMs} ms` : `${Math.round(delayMs / 1000)} s`;
}

function toTimes(attempt: number): string {
  return attempt === 1 ? "one retry" : `${attempt} retries`;
}
