/** A message of Chat Completions. */
export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

const user = (content: string): ChatMessage => ({ role: "user", content });
const said = (content: string): ChatMessage => ({ role: "assistant", content });
const calls = (...ids: string[]): ChatMessage => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } })),
});
const result = (id: string, content: string): ChatMessage => ({ role: "tool", tool_call_id: id, content });
const long = `call_${"x".repeat(60)}`;

/** Histories as crashes, edits and other programs leave them. Texts are unique, so that it can be counted what is left of them. */
export const brokenHistories: Readonly<Record<string, readonly ChatMessage[]>> = {
  "valid history": [user("text 1"), calls("a"), result("a", "text 2"), said("text 3"), user("text 4")],
  "killed before the result": [user("text 1"), calls("a"), user("text 2")],
  "killed between two results": [user("text 1"), calls("a", "b"), result("a", "text 2"), user("text 3")],
  "result after the next message": [user("text 1"), calls("a"), user("text 2"), result("a", "text 3"), said("text 4"), user("text 5")],
  "results of two answers interleaved": [
    user("text 1"),
    calls("a"),
    calls("b"),
    result("a", "text 2"),
    result("b", "text 3"),
    user("text 4"),
  ],
  "result stored twice": [user("text 1"), calls("a"), result("a", "text 2"), result("a", "text 2"), said("text 3"), user("text 4")],
  "beginning cut off, before a result": [result("a", "result without its call"), said("text 1"), user("text 2")],
  "id of a call used again": [
    user("text 1"),
    calls("a"),
    result("a", "text 2"),
    user("text 3"),
    calls("a"),
    result("a", "text 4"),
    user("text 5"),
  ],
  "call id of another provider": [user("text 1"), calls(long), result(long, "text 2"), user("text 3")],
  "answer with nothing in it": [user("text 1"), { role: "assistant", content: null }, user("text 2")],
};
