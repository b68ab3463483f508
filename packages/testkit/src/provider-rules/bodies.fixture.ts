import type { Violation } from "./violation.ts";

/** The rules that a body breaks, each once, in order. */
export function rulesOf(violations: Violation[]): string[] {
  return [...new Set(violations.map((violation) => violation.rule))];
}

/** The first bytes of a PNG of that size, in base64: enough for whoever reads only the header. */
export function pngBase64({ width, height }: { width: number; height: number }): string {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

const TOOLS = [{ name: "read", input_schema: { type: "object" } }];

/** A Messages request that breaks no rule, with `messages` in place of its own. */
export function anthropicBody(messages: unknown[], rest: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: "claude-test", max_tokens: 100, tools: TOOLS, messages, ...rest };
}

export const use = (id: string, name = "read") => ({ type: "tool_use", id, name, input: {} });
export const result = (id: string, content: unknown = "ok") => ({ type: "tool_result", tool_use_id: id, content });
export const text = (value: string) => ({ type: "text", text: value });
export const user = (content: unknown) => ({ role: "user", content });
export const assistant = (content: unknown) => ({ role: "assistant", content });
