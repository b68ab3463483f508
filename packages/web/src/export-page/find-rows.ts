import type { ConversationMessage } from "@skein/contracts";
import type { ConversationRow } from "../conversation/conversation-rows.ts";

/** Indices of the rows that contain a text, ignoring case; none for an empty text. */
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
