import { describe, expect, it } from "vitest";
import { findSessionPoint } from "./session-point.ts";

const uuid = "3f1f9df0-6c5c-4c38-9f5a-0d9a5d3a4a11";
const answer = { type: "assistant", session_id: "s1", uuid, parent_tool_use_id: null, message: { id: "m", content: [] } };
const find = (changes: object) => findSessionPoint(JSON.stringify({ ...answer, ...changes }));

describe("[E2] where a session of Claude Code can be resumed", () => {
  it("at an answer of its main conversation", () => {
    expect(find({})).toEqual({ sessionId: "s1", messageId: uuid });
  });

  it.each([
    ["an answer of a subagent", { parent_tool_use_id: "toolu_1" }],
    ["an error in the place of an answer", { is_api_error_message: true }],
    ["another line", { type: "user" }],
    ["[X7] something that is no id: it becomes an argument", { uuid: "--dangerously-skip-permissions" }],
    ["an answer without an id", { uuid: undefined }],
  ])("not at %s", (_what, changes) => {
    expect(find(changes)).toBeUndefined();
  });

  it("not at what is not JSON", () => {
    expect(findSessionPoint('"assistant" {')).toBeUndefined();
  });
});
