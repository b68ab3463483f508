import type { ModelErrorPart } from "@skein/engine";

/** Error messages of the providers, and of Chat Completions servers, for a request that is too long. */
const tooLong = [
  /prompt is too long/i,
  /exceed(s|ed)? (the )?(model'?s? )?(maximum |available |max )?(context|input)[ _-]?(length|limit|window|size)?/i,
  /maximum context length/i,
  /context[ _]length[ _]exceeded/i,
  /context window/i,
  /input token count .*exceeds the maximum/i,
  /request_too_large|request exceeds the maximum size/i,
  /exceed_context_size|too large for model|reduce the length of the (messages|prompt|input)/i,
];

export function isTooLong(message: string): boolean {
  return tooLong.some((pattern) => pattern.test(message));
}

const parts: readonly [ModelErrorPart, RegExp][] = [
  ["effort", /effort|thinking.?level|thinking.?budget|not support thinking/i],
  ["reasoning", /thinking|signature|encrypted_content|'reasoning'|type 'reasoning'|thought_signature/i],
  ["image", /\bimages?\b|\bmedia\b|image_url|inline_data/i],
  ["tool-definition", /\btools\.\d|\btools\[\d|function_declarations?|input_schema|invalid schema for function|tool names must be unique/i],
  ["tool-call", /tool_use|tool_result|tool_call|function.?call|function.?response|tool output|call_id/i],
  ["text", /text content blocks|surrogate/i],
];

/** The part of a request that the provider rejected; undefined if its message does not name one. */
export function findRefusedPart(message: string): ModelErrorPart | undefined {
  return parts.find(([, pattern]) => pattern.test(message))?.[0];
}
