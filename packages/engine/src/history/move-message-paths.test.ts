import type { MessageBody } from "@skein/contracts";
import { expect, test } from "vitest";
import { moveMessagePaths } from "./move-message-paths.ts";
import { createPathMover } from "./path-mover.ts";

const mover = createPathMover({ from: ["/wt/a"], to: "/wt/b" });

test("[E11] text, thoughts, arguments, inputs and results of a message name the current folder", () => {
  const call = (path: string, extra: object) => ({
    id: "c1",
    type: "function" as const,
    function: { name: "write", arguments: `{"file_path": "${path}/x", "size": 12345678901234567890, "text": "cut` },
    ...extra,
  });
  const assistant = (path: string, signed: object, extra: object): MessageBody => ({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Nothing of a folder.", ...signed },
      { type: "text", text: `In ${path}.` },
    ],
    toolCalls: [call(path, extra)],
    segments: [
      { type: "tool-call", toolCallId: "c1" },
      { type: "text", text: `In ${path}.` },
    ],
  });
  const signed = { signature: "s", model: "m", providerData: { id: "r" } };
  expect(moveMessagePaths(assistant("/wt/a", signed, { providerData: { itemId: "i" } }), mover)).toEqual(assistant("/wt/b", {}, {}));

  const tool = (path: string): MessageBody => ({
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "c1", toolName: "ls", input: { [path]: [{ cwd: path }] }, result: `${path}/x\n`, isError: false },
      { type: "tool-result", toolCallId: "c2", toolName: "ls", input: null, result: [{ type: "text", text: path }] },
    ],
  });
  expect(moveMessagePaths(tool("/wt/a"), mover)).toEqual(tool("/wt/b"));
  expect(moveMessagePaths({ role: "user", content: "Look at /wt/a/x." }, mover)).toEqual({ role: "user", content: "Look at /wt/b/x." });
});

test("[E11, Q9] a message that names no earlier folder is unchanged, with its signatures; a changed text keeps them", () => {
  const reasoning = { type: "reasoning" as const, text: "Hm.", signature: "s", model: "m" };
  const untouched: MessageBody = { role: "assistant", content: [reasoning, { type: "text", text: "/wt/b/x and /wt/a-2" }] };
  expect(moveMessagePaths(untouched, mover)).toBe(untouched);
  const said: MessageBody = { role: "assistant", content: [reasoning, { type: "text", text: "/wt/a" }] };
  expect(moveMessagePaths(said, mover)).toEqual({ role: "assistant", content: [reasoning, { type: "text", text: "/wt/b" }] });
  const thought: MessageBody = { role: "assistant", content: [{ ...reasoning, text: "In /wt/a?" }] };
  expect(moveMessagePaths(thought, mover)).toEqual({ role: "assistant", content: [{ type: "reasoning", text: "In /wt/b?" }] });
});
