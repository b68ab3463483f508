import type { JsonValue, Usage } from "@skein/contracts";
import { addUsage, arrayField, asObject, countField, objectField, stringField } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";
import { toWholeUsage } from "../lines/whole-usage.ts";
import { parseTime } from "../sessions/parse-time.ts";
import { readWholeFile } from "../sessions/read-session-lines.ts";
import { RecordedTurn } from "../sessions/recorded-turn.ts";
import type { FoundSession, ReadFrom, SessionSink } from "../sessions/session-source.ts";
import { maxSessionBytes, parseGeminiSession, readGeminiPrompt } from "./gemini-session.ts";

/** Reads a session of Gemini CLI. Always whole, because messages change; only turns from `from` on are passed on. */
export async function readGeminiSession(
  session: FoundSession,
  { sink, from }: { sink: SessionSink; from?: ReadFrom | undefined },
): Promise<void> {
  const [file = ""] = session.files;
  const text = await readWholeFile(file, { maxBytes: maxSessionBytes, sink });
  if (text === undefined) return;
  const { messages, broken, lines } = parseGeminiSession(text);
  const [first] = broken;
  if (first !== undefined) sink.problem({ code: "unreadable-line", file, line: first, count: broken.length });
  const start = from === undefined ? 0 : messages.findIndex((message) => message.id === from.mark);
  if (start < 0) sink.restart();
  let turn: RecordedTurn | undefined;
  let usage: Usage = {};
  let at = session.startedAt;
  for (let index = 0; index < lines; index++) sink.countLine();
  for (const [index, message] of messages.entries()) {
    const waiting = sink.pause();
    if (waiting !== undefined) await waiting;
    at = parseTime(message.timestamp) ?? at;
    if (index < start) continue;
    const prompt = readGeminiPrompt(message);
    if (prompt !== undefined) {
      const key = stringField(message, "id") ?? `message-${index}`;
      turn = new RecordedTurn(sink.beginTurn({ key, position: index, mark: key, at, ...prompt }), sink);
      usage = {};
    } else if (turn !== undefined) {
      usage = addUsage(usage, readMessage(turn, message, at));
      sink.endTurn(toEnd(message, usage), lastTime(message, at));
    }
  }
}

function toEnd(message: JsonObject, usage: Usage) {
  if (message.type === "error") return { status: "failed" as const, reason: toText(message.content), usage };
  if (message.type !== "gemini") return { usage };
  const isCancelled = (arrayField(message, "toolCalls") ?? []).some((call) => stringField(call, "status") === "cancelled");
  return { status: isCancelled ? ("cancelled" as const) : ("success" as const), usage };
}

function lastTime(message: JsonObject, at: number): number {
  const times = (arrayField(message, "toolCalls") ?? []).map((call) => parseTime(asObject(call)?.timestamp) ?? at);
  return Math.max(at, ...times);
}

/** Returns what the message has used. */
function readMessage(turn: RecordedTurn, message: JsonObject, at: number): Usage {
  const id = stringField(message, "id") ?? `at-${at}`;
  const place = { message: id, at };
  switch (message.type) {
    case "gemini": {
      const thoughts = (arrayField(message, "thoughts") ?? []).map(toThought).filter((thought) => thought !== "");
      // without subjects they are the pieces of one thought
      turn.thinking(thoughts.join(thoughts.every((thought) => thought.startsWith("**")) ? "\n\n" : ""), place);
      turn.text(toText(message.content), place);
      const calls = (arrayField(message, "toolCalls") ?? []).flatMap((call): JsonObject[] => {
        const found = asObject(call);
        return found === undefined ? [] : [found];
      });
      for (const call of calls) {
        turn.call({ id: toCallId(call), toolName: stringField(call, "name") ?? "tool", input: call.args ?? {} }, place);
      }
      for (const call of calls) readResult(turn, call, at);
      const usage = toUsage(objectField(message, "tokens"));
      const model = stringField(message, "model");
      turn.endMessage({ ...place, ...(model === undefined ? {} : { model: `gemini/${model}` }), usage });
      return usage;
    }
    case "error":
      turn.error(toText(message.content), place);
      return {};
    case "info":
    case "warning":
      turn.notice({ text: toText(message.content), code: "agent-notice" }, place);
      return {};
    default:
      // results of tools, which are part of the message with the calls
      return {};
  }
}

function toCallId(call: JsonObject): string {
  return stringField(call, "id") ?? stringField(call, "name") ?? "call";
}

function readResult(turn: RecordedTurn, call: JsonObject, calledAt: number): void {
  const status = stringField(call, "status");
  const at = Math.max(calledAt, parseTime(call.timestamp) ?? calledAt);
  const name = stringField(call, "name") ?? "tool";
  const id = toCallId(call);
  const responses = (arrayField(call, "result") ?? []).flatMap(
    (part) => objectField(objectField(part, "functionResponse"), "response") ?? [],
  );
  const output = responses.map((response) => stringField(response, "output", "error") ?? JSON.stringify(response)).join("\n");
  if (status === "cancelled") {
    turn.result({ id, toolName: name, output, isError: true, state: "interrupted", at });
    return;
  }
  const { text, structured, hasFailed } = toStructured(name, call, output);
  const isError = status === "error" || hasFailed;
  turn.result({ id, toolName: name, output: text, isError, ...(structured === undefined ? {} : { structured }), at });
}

function toStructured(name: string, call: JsonObject, output: string): { text: string; structured?: JsonValue; hasFailed: boolean } {
  if (name === "run_shell_command") {
    const { printed, exitCode } = readShellReport(output);
    return { text: printed, structured: { exitCode }, hasFailed: exitCode !== 0 };
  }
  const display = objectField(call, "resultDisplay");
  const fileDiff = stringField(display, "fileDiff");
  if (fileDiff === undefined) return { text: output, hasFailed: false };
  const filePath = stringField(display, "filePath", "fileName") ?? stringField(call.args, "file_path");
  const contents = {
    ...(filePath === undefined ? {} : { filePath }),
    ...(typeof display?.originalContent === "string" ? { oldContent: display.originalContent } : {}),
    ...(typeof display?.newContent === "string" ? { newContent: display.newContent } : {}),
  };
  return { text: output, structured: { ...contents, diff: fileDiff, created: display?.isNewFile === true }, hasFailed: false };
}

/** `Output: …`, then `Exit Code: …` unless it is 0, then the process group; older versions name the command first. */
function readShellReport(text: string): { printed: string; exitCode: number } {
  const inner = /^<untrusted_context>\n([\s\S]*?)\n?<\/untrusted_context>\s*$/.exec(text)?.[1] ?? text;
  const exitCode = Number(/^Exit Code: (-?\d{1,10})$/m.exec(inner)?.[1] ?? 0);
  const [, output] =
    /(?:^|\n)Output: ([\s\S]*?)(?=\n(?:Error: |Exit Code: |Signal: |Background PIDs: |Process Group PGID: )|$)/.exec(inner) ?? [];
  const printed = output ?? inner;
  return { printed: printed === "(empty)" ? "" : printed, exitCode };
}

function toThought(thought: JsonValue): string {
  const subject = stringField(thought, "subject") ?? "";
  const description = stringField(thought, "description") ?? "";
  return subject === "" ? description : `**${subject}**\n${description}`;
}

function toText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => (asObject(part)?.thought === true ? [] : (stringField(part, "text") ?? []))).join("");
}

function toUsage(tokens: JsonObject | undefined): Usage {
  const usage: Usage = {};
  const [inputTokens, outputTokens] = [countField(tokens, 0, "input"), countField(tokens, 0, "output")];
  const [reasoningTokens, cacheReadTokens] = [countField(tokens, 0, "thoughts"), countField(tokens, 0, "cached")];
  if (outputTokens !== undefined) usage.outputTokens = outputTokens;
  if (reasoningTokens !== undefined) usage.reasoningTokens = reasoningTokens;
  const whole = toWholeUsage(usage);
  // cached tokens are part of the input
  if (inputTokens !== undefined) whole.inputTokens = inputTokens;
  if (cacheReadTokens !== undefined) whole.cacheReadTokens = cacheReadTokens;
  return whole;
}
