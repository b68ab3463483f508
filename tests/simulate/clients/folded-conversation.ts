import type { ConversationPage, TaskId } from "@skein/contracts";
import { applyDeliveries, applyPage, type ConversationView, createConversationView } from "@skein/engine";
import { ShownRecord } from "./shown-record.ts";
import type { SseFrame } from "./sse-frames.ts";

/** The conversation that a browser has open: a page and the deliveries after it, folded by the engine as in the product. */
export class FoldedConversation {
  readonly taskId: string;
  readonly shown: ShownRecord;
  #view: ConversationView;

  constructor(taskId: string) {
    this.taskId = taskId;
    this.shown = new ShownRecord(taskId);
    this.#view = createConversationView({ taskId: taskId as TaskId });
  }

  get view(): ConversationView {
    return this.#view;
  }

  get needsPage(): boolean {
    return this.#view.phase === "loading";
  }

  applyPage(page: ConversationPage): void {
    for (const message of page.messages) this.shown.show(this.taskId, message, false);
    this.#view = applyPage(this.#view, page);
  }

  /** `misfit`: the client has to connect again. */
  apply(frame: SseFrame): "misfit" | "applied" {
    const delivery = this.shown.read(frame);
    if (delivery === "misfit") return "misfit";
    if (delivery !== undefined) this.#view = applyDeliveries(this.#view, [delivery]);
    return "applied";
  }
}
