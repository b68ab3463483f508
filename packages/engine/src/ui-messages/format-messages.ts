import { UIConversationEdit, type UIInput } from "./ui-conversation-edit.ts";
import { emptyUIConversation, type UIConversation } from "./ui-message.ts";

/**
 * Formats a whole history for the UI: every result is on the part of its call. Never throws and never hides a message. For a history that
 * is loaded page by page, `from` is the state of the previous pages; it is not changed.
 */
export function formatMessages(messages: readonly UIInput[], from: UIConversation = emptyUIConversation): UIConversation {
  const edit = new UIConversationEdit(from);
  for (const message of messages) edit.add(message);
  return edit.finish();
}

/** Adds one live message. Folding it over a history gives the same as `formatMessages` for the whole. */
export function handleMessage(state: UIConversation, message: UIInput): UIConversation {
  const edit = new UIConversationEdit(state);
  edit.add(message);
  return edit.finish();
}
