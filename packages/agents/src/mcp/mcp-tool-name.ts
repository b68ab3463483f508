import { createHash } from "node:crypto";

/** The strictest limits: OpenAI and Gemini accept 64 characters, Anthropic only these. */
const maximumLength = 64;
const markLength = 10;
const plainServer = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const plainTool = /^[A-Za-z0-9_-]+$/;
const looksMarked = new RegExp(`_[0-9a-f]{${markLength}}$`);

/**
 * `mcp__<server>__<tool>`, valid for every provider. Names never collide: one that cannot be written unchanged (or that looks like a
 * changed one) gets a digest of both names as suffix.
 */
export function toMcpToolName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool}`;
  if (plainServer.test(server) && plainTool.test(tool) && plain.length <= maximumLength && !looksMarked.test(tool)) return plain;
  const mark = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, markLength);
  const readable = `mcp__${toPlain(server).slice(0, 20) || "server"}__${toPlain(tool) || "tool"}`;
  return `${readable.slice(0, maximumLength - markLength - 1)}_${mark}`;
}

function toPlain(text: string): string {
  return text.replace(/[^A-Za-z0-9-]+/g, "_").replace(/^_+|_+$/g, "");
}
