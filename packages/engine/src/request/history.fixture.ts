import type { MessageBody, ToolCall, ToolResultPart } from "@skein/contracts";
import fc from "fast-check";

export function call(id: string, name = "probe"): ToolCall {
  return { id, type: "function", function: { name, arguments: "{}" } };
}

export function answer(toolCallId: string, result = `result of ${toolCallId}`): ToolResultPart {
  return { type: "tool-result", toolCallId, toolName: "probe", input: {}, result };
}

export function calls(...ids: string[]): MessageBody {
  return { role: "assistant", content: "", toolCalls: ids.map((id) => call(id)) };
}

export function answers(...ids: string[]): MessageBody {
  return { role: "tool", content: ids.map((id) => answer(id)) };
}

export const user: MessageBody = { role: "user", content: "go on" };

const ids = fc.constantFrom("a", "b", "c", "d", "a_2", "");

/** Any messages in any order: most of them no provider would accept. */
export const anyHistory: fc.Arbitrary<MessageBody[]> = fc.array(
  fc.oneof(
    fc.record({ role: fc.constant("user" as const), content: fc.string({ maxLength: 4 }) }),
    fc.record({ role: fc.constant("system" as const), content: fc.string({ maxLength: 4 }) }),
    fc.record({ role: fc.constant("assistant" as const), content: fc.constantFrom("", "  ", "text") }),
    fc.record({
      role: fc.constant("assistant" as const),
      content: fc.constantFrom("", "text"),
      toolCalls: fc.array(
        ids.map((id) => call(id)),
        { maxLength: 3 },
      ),
    }),
    fc.record({
      role: fc.constant("tool" as const),
      content: fc.array(
        fc.tuple(ids, fc.nat(9)).map(([id, n]) => answer(id, `result ${n}`)),
        { maxLength: 3 },
      ),
    }),
  ),
  { maxLength: 14, size: "max" },
);

/** Valid histories: every call has its result, directly after it, in one message or in several. */
export const validHistory: fc.Arbitrary<MessageBody[]> = fc
  .array(
    fc.oneof(
      fc.constant({ do: "user" as const }),
      fc.constant({ do: "say" as const }),
      fc.record({ do: fc.constant("call" as const), count: fc.integer({ min: 1, max: 4 }), together: fc.boolean() }),
    ),
    { maxLength: 8 },
  )
  .map((turns) => {
    let serial = 0;
    return turns.flatMap((turn): MessageBody[] => {
      if (turn.do === "user") return [user];
      if (turn.do === "say") return [{ role: "assistant", content: "said" }];
      const names = Array.from({ length: turn.count }, () => `call ${++serial}`);
      return [calls(...names), ...(turn.together ? [answers(...names)] : names.map((name) => answers(name)))];
    });
  });
