import type { ConversationMessage } from "@skein/contracts";
import type { ConversationRow } from "../conversation/conversation-rows.ts";

/** The indices of rows that hold a text, in any case; none for an empty one. */
export function findRows(rows: readonly ConversationRow[], text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  return rows.flatMap((row, index) => (messagesOf(row).some((message) => holds(message, wanted)) ? [index] : []));
}

function messagesOf(row: ConversationRow): readonly ConversationMessage[] {
  if (row.kind === "message") return [row.message];
  return row.kind === "group" ? row.messages : [];
}

function holds({ content, metadata }: ConversationMessage, wanted: string): boolean {
  if (content.toLowerCase().includes(wanted)) return true;
  if (metadata === undefined) return false;
  const { images: _, ...searched } = metadata as { images?: unknown };
  return JSON.stringify(searched).toLowerCase().includes(wanted);
}
