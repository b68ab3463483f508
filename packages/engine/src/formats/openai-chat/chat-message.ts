export type ChatContentPart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

/** A call of a function tool. */
export interface ChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** A message of the Chat Completions API, as the writer makes it. */
export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | ChatContentPart[] }
  | { role: "assistant"; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };
