import type { AttemptId, ConversationMessage, ConversationState } from "@skein/contracts";
import { type ConversationView, createEmptyState } from "./conversation-view.ts";
import { MessageListEdit, toMessageList } from "./message-list.ts";

/** A view while deliveries are applied to it: the next view is created once, at the end. */
export class ViewDraft {
  readonly #from: ConversationView;
  #view: ConversationView;
  #edit: MessageListEdit;

  constructor(view: ConversationView) {
    this.#from = view;
    this.#view = view;
    this.#edit = new MessageListEdit(view.list);
  }

  get view(): ConversationView {
    return this.#view;
  }

  get state(): ConversationState {
    return this.#view.state;
  }

  has(id: string): boolean {
    return this.#edit.has(id) || this.#view.older.has(id);
  }

  putMessage(message: ConversationMessage): void {
    if (this.#isOlder(message)) {
      const known = this.#view.older.get(message.id);
      if (known !== undefined && known.revision >= message.revision) return;
      this.change({ older: new Map(this.#view.older).set(message.id, message) });
      return;
    }
    this.#edit.put(message);
  }

  /** A message that is unknown and older than the first known one: it belongs to a page that was not loaded. */
  #isOlder(message: ConversationMessage): boolean {
    const first = this.#edit.first;
    return this.#view.hasMore && first !== undefined && message.timestamp < first.timestamp && !this.#edit.has(message.id);
  }

  change(changes: Partial<ConversationView>): void {
    this.#view = { ...this.#view, ...changes };
  }

  changeState(changes: Partial<ConversationState>): void {
    this.change({ state: { ...this.#view.state, ...changes } });
  }

  setExecution(execution: ConversationState["currentExecution"]): void {
    const { currentExecution: _, ...rest } = this.#view.state;
    const isExecuting = execution !== undefined;
    this.change({ state: { ...rest, isExecuting, ...(isExecuting ? { currentExecution: execution } : {}) } });
  }

  /** Switches to another attempt, without messages. */
  showAttempt(attemptId: AttemptId, changes: Partial<ConversationView>): void {
    this.replace({ ...createEmptyState(attemptId), canSendMessage: true }, { attemptId, ...changes });
  }

  replace(state: ConversationState, changes: Partial<ConversationView>): void {
    const list = toMessageList(state.messages);
    this.#edit = new MessageListEdit(list);
    this.change({ older: new Map(), ...changes, list, state });
  }

  finish(): ConversationView {
    const list = this.#edit.finish();
    if (list !== this.#view.list) this.change({ list });
    if (this.#view.state.messages !== list.messages) this.changeState({ messages: list.messages as ConversationMessage[] });
    return this.#view === this.#from ? this.#from : this.#view;
  }
}
