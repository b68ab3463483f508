import { UIConversationEdit, type UIInput } from "./ui-conversation-edit.ts";
import { emptyUIConversation, type UIConversation } from "./ui-message.ts";

/**
 * A whole history as the UI shows it: every result on the part of its call. It never throws and never hides a message.
 * A history that is loaded page by page continues `from` the state of the pages before; that state is left unchanged.
 */
export function formatMessages(messages: readonly UIInput[], from: UIConversation = emptyUIConversation): UIConversation {
  const edit = new UIConversationEdit(from);
  for (const message of messages) edit.add(message);
  return edit.finish();
}

/** One live message. Folding it over a history gives what `formatMessages` gives for the whole. */
export function handleMessage(state: UIConversation, message: UIInput): UIConversation {
  const edit = new UIConversationEdit(state);
  edit.add(message);
  return edit.finish();
}
