import type { AgentOutput, MessageEntity, MessageId, UserMessage } from "@skein/contracts";
import { type Model, ModelError } from "@skein/engine";
import type { NativeTool } from "../tools/tool.ts";
import { addUsage } from "./add-usage.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import type { NativeInput } from "./native-input.ts";
import { runToolCalls } from "./run-tool-calls.ts";
import { streamAssistantMessage } from "./stream-assistant-message.ts";
import { type BuildRequest, defaultLimits, type Turn, type TurnLimits } from "./turn.ts";

export interface NativeTurn {
  input: NativeInput;
  model: Model;
  tools: readonly NativeTool[];
  systemPrompts: readonly string[];
  buildRequest: BuildRequest;
  approvals: ApprovalDesk;
  emit(output: AgentOutput): void;
  signal: AbortSignal;
  now(): number;
  createMessageId(): MessageId;
  limits?: Partial<TurnLimits>;
}

export type TurnStatus = "success" | "failed" | "cancelled";
type Ending = { status: "success" | "cancelled" } | { status: "failed"; reason: string };

/**
 * Model, tools, model, tools … until the model asks for no more. Everything is held in memory and told through `emit`;
 * on every path each call that was shown gets one result, and exactly one `end` comes last.
 */
export async function runNativeTurn(options: NativeTurn): Promise<TurnStatus> {
  const { input, emit, now, signal } = options;
  const turn: Turn = {
    model: options.model,
    tools: new Map(options.tools.map((tool) => [tool.definition.name, tool])),
    permissionMode: input.permissionMode,
    approvals: options.approvals,
    emit,
    signal,
    now,
    createMessageId: options.createMessageId,
    limits: { ...defaultLimits, ...options.limits },
    openCalls: new Map(),
    usedCallIds: new Set(
      input.history.flatMap(({ body }) => (body.role === "assistant" ? (body.toolCalls ?? []).map((call) => call.id) : [])),
    ),
    allowedTools: new Set(),
  };
  let usage = {};
  const ending = await runCycles(turn, options, (more) => {
    usage = addUsage(usage, more);
  }).catch((error: unknown): Ending => (signal.aborted ? { status: "cancelled" } : { status: "failed", reason: describeFailure(error) }));
  settleOpenCalls(turn);
  emit({ type: "end", ...ending, usage, at: now() });
  return ending.status;
}

async function runCycles(turn: Turn, options: NativeTurn, onUsage: (usage: object) => void): Promise<Ending> {
  const { input, systemPrompts, buildRequest } = options;
  const messages: MessageEntity[] = [...input.history, { id: turn.createMessageId(), body: toUserMessage(input) }];
  for (let cycle = 1; cycle <= turn.limits.cycles; cycle++) {
    turn.signal.throwIfAborted();
    const message = await streamAssistantMessage(turn, buildRequest({ systemPrompts, messages, summary: input.summary }));
    onUsage(message.usage);
    messages.push({ id: message.id, body: message.body });
    if (message.calls.length === 0) return toEnding(turn, message.stopReason, message.body.content.length === 0);
    for (const result of await runToolCalls(turn, message.calls)) {
      // One message per result, as they are stored: the next execution's request begins with the same bytes as this one's.
      messages.push({ id: turn.createMessageId(), body: { role: "tool", content: [result] } });
    }
  }
  turn.signal.throwIfAborted();
  const text = `Stopped after ${turn.limits.cycles} steps without an end. Send a message to let it go on.`;
  notify(turn, text, "step-limit");
  return { status: "failed", reason: text };
}

function toEnding(turn: Turn, stopReason: string, isEmpty: boolean): Ending {
  if (stopReason === "refusal") return { status: "failed", reason: "The model declined to answer." };
  if (stopReason === "length") notify(turn, "The answer was cut off at the model's output limit.", "output-limit");
  else if (isEmpty) notify(turn, "The model ended without an answer.", "empty-answer");
  return { status: "success" };
}

function notify(turn: Turn, text: string, code: string): void {
  turn.emit({ type: "notice", messageId: turn.createMessageId(), text, code, at: turn.now() });
}

/** Calls of a message that broke off: shown, never run. */
function settleOpenCalls(turn: Turn): void {
  for (const [toolUseId, toolName] of turn.openCalls) {
    const resultId = turn.createMessageId();
    const output = "Stopped before it ran.";
    turn.emit({ type: "tool-result", resultId, toolUseId, toolName, output, isError: true, state: "interrupted", at: turn.now() });
  }
  turn.openCalls.clear();
}

function toUserMessage({ message, images }: NativeInput): UserMessage {
  if (images.length === 0) return { role: "user", content: message };
  return { role: "user", content: [...(message === "" ? [] : [{ type: "text" as const, text: message }]), ...images] };
}

function describeFailure(error: unknown): string {
  if (error instanceof ModelError) return error.message;
  return `The native agent failed: ${error instanceof Error ? error.message : String(error)}`;
}
