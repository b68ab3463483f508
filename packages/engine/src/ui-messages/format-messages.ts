import { UIConversationEdit, type UIInput } from "./ui-conversation-edit.ts";
import { emptyUIConversation, type UIConversation } from "./ui-message.ts";

/** A whole history as the UI shows it: every result on the part of its call. It never throws and never hides a message. */
export function formatMessages(messages: readonly UIInput[]): UIConversation {
  const edit = new UIConversationEdit(emptyUIConversation);
  for (const message of messages) edit.add(message);
  return edit.finish();
}

/** One live message. Folding it over a history gives what `formatMessages` gives for the whole. */
export function handleMessage(state: UIConversation, message: UIInput): UIConversation {
  const edit = new UIConversationEdit(state);
  edit.add(message);
  return edit.finish();
}
