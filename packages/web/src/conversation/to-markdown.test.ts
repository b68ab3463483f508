import type { ConversationMessage } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "./to-markdown.ts";

const base = { id: "m", role: "assistant", timestamp: 0, revision: 1 };

describe("toMarkdown", () => {
  it("leaves Markdown as it is, and quotes what a command printed without its colours", () => {
    expect(toMarkdown({ ...base, messageType: "text", content: "# Hi" } as ConversationMessage)).toBe("# Hi");
    const details = { type: "commandOutput", data: { command: "ls", stdout: "\u001b[31mred\u001b[0m\n", stderr: "", exitCode: 0 } };
    const tool = { ...base, messageType: "tool_execution", content: "Ran ls", metadata: { toolName: "bash", output: "", details } };
    expect(toMarkdown(tool as unknown as ConversationMessage)).toBe("**Ran ls**\n\n```sh\nls\n```\n\n```\nred\n```");
  });

  it("makes a fence that the quoted text cannot end", () => {
    const result = { ...base, messageType: "tool_result", content: "a\n````\nb", metadata: { isError: false } };
    expect(toMarkdown(result as ConversationMessage)).toBe("`````\na\n````\nb\n`````");
  });
});
