import type { RepairProvider } from "../repair/repair-provider.ts";

type Wire = Record<string, unknown>;

const png = "iVBORw0KGgo=";
const prompt = "You are a coding agent.";
const unsigned = { thoughtSignature: "skip_thought_signature_validator" };

/** The same conversation as each API documents its messages, written by hand. */
export const sameHistory: Record<RepairProvider, { messages: Wire[]; system?: unknown }> = {
  anthropic: {
    system: prompt,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is wrong here?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look at both files." },
          { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts" } },
          { type: "tool_use", id: "c2", name: "read", input: { path: "b.ts" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "export const a = 1;" },
          { type: "tool_result", tool_use_id: "c2", content: "export const b = 2;" },
        ],
      },
      { role: "assistant", content: "Nothing." },
      { role: "user", content: "Thanks." },
    ],
  },
  "openai-chat": {
    messages: [
      { role: "system", content: prompt },
      {
        role: "user",
        content: [
          { type: "text", text: "What is wrong here?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
        ],
      },
      {
        role: "assistant",
        content: "I look at both files.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } },
          { id: "c2", type: "function", function: { name: "read", arguments: '{"path":"b.ts"}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "export const a = 1;" },
      { role: "tool", tool_call_id: "c2", content: "export const b = 2;" },
      { role: "assistant", content: "Nothing." },
      { role: "user", content: "Thanks." },
    ],
  },
  "openai-responses": {
    messages: [
      { type: "message", role: "system", content: [{ type: "input_text", text: prompt }] },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "What is wrong here?" },
          { type: "input_image", image_url: `data:image/png;base64,${png}`, detail: "auto" },
        ],
      },
      { type: "message", role: "assistant", content: "I look at both files." },
      { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a.ts"}' },
      { type: "function_call", call_id: "c2", name: "read", arguments: '{"path":"b.ts"}' },
      { type: "function_call_output", call_id: "c1", output: "export const a = 1;" },
      { type: "function_call_output", call_id: "c2", output: "export const b = 2;" },
      { type: "message", role: "assistant", content: "Nothing." },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Thanks." }] },
    ],
  },
  gemini: {
    system: { parts: [{ text: prompt }] },
    messages: [
      { role: "user", parts: [{ text: "What is wrong here?" }, { inlineData: { mimeType: "image/png", data: png } }] },
      {
        role: "model",
        parts: [
          { text: "I look at both files." },
          { functionCall: { id: "c1", name: "read", args: { path: "a.ts" } }, ...unsigned },
          { functionCall: { id: "c2", name: "read", args: { path: "b.ts" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "read", response: { output: "export const a = 1;" } } },
          { functionResponse: { id: "c2", name: "read", response: { output: "export const b = 2;" } } },
        ],
      },
      { role: "model", parts: [{ text: "Nothing." }] },
      { role: "user", parts: [{ text: "Thanks." }] },
    ],
  },
  "ai-sdk": {
    messages: [
      { role: "system", content: prompt },
      {
        role: "user",
        content: [
          { type: "text", text: "What is wrong here?" },
          { type: "image", image: png, mediaType: "image/png" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look at both files." },
          { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a.ts" } },
          { type: "tool-call", toolCallId: "c2", toolName: "read", input: { path: "b.ts" } },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c1", toolName: "read", output: { type: "text", value: "export const a = 1;" } },
          { type: "tool-result", toolCallId: "c2", toolName: "read", output: { type: "text", value: "export const b = 2;" } },
        ],
      },
      { role: "assistant", content: "Nothing." },
      { role: "user", content: "Thanks." },
    ],
  },
};
