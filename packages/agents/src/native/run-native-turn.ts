import type {
  AgentOutput,
  ExecutionEndCode,
  MessageEntity,
  MessageId,
  MessageText,
  NoticeText,
  ProviderLimit,
  UserMessage,
} from "@skein/contracts";
import { applyPruning, createTokenCounter, type Model, ModelError, type ModelErrorKind } from "@skein/engine";
import { type ModelFailure, toFailureText } from "../failures/explain-model-failure.ts";
import { findProviderLimit } from "../failures/find-provider-limit.ts";
import type { NativeTool } from "../tools/tool.ts";
import { createAskTool } from "./ask-tool.ts";
import { createBuildRequest } from "./build-request.ts";
import { createCalibratedCounter } from "./calibrated-counter.ts";
import { createCompaction, readCompactCommand } from "./compaction.ts";
import type { NativeInput } from "./native-input.ts";
import type { PendingApprovals } from "./pending-approvals.ts";
import { enterPlanMode } from "./plan-mode.ts";
import { noOmissions } from "./request-omissions.ts";
import { type ConversationEnd, runConversation } from "./run-conversation.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { SteeringQueue } from "./steering-queue.ts";
import { createTaskTool } from "./task-tool.ts";
import { toToolDefinitions } from "./tool-definitions.ts";
import { type BuildRequest, defaultLimits, notify, settleOpenCalls, type Turn, type TurnLimits } from "./turn.ts";

export interface NativeTurn {
  input: NativeInput;
  model: Model;
  /** Writes summaries, instead of `model`. */
  summaryModel?: Model | undefined;
  /** The model also gets `ask` and `task`, which are part of the turn itself. */
  tools: readonly NativeTool[];
  systemPrompts: readonly string[];
  buildRequest: BuildRequest;
  /** Expands what the user types in the meantime; `input` is already expanded. */
  expandMessage?(text: string): Promise<string>;
  approvals: PendingApprovals;
  steering: SteeringQueue;
  emit(output: AgentOutput): void;
  /** Resolves with true when what was emitted is durable; with false if it was stopped before. */
  recorded?(): Promise<boolean>;
  signal: AbortSignal;
  now(): number;
  createMessageId(): MessageId;
  limits?: Partial<TurnLimits>;
  /** Ends processes that tools left running, before the turn's end is reported. Resolves with a notice if there were any. */
  release?(): Promise<NoticeText | undefined>;
}

const measure = createBuildRequest();

export type TurnStatus = "success" | "failed" | "cancelled" | "interrupted";
type Ending =
  | { status: "success" | "cancelled" }
  | { status: "failed"; reason: MessageText }
  | { status: "interrupted"; reason: NoticeText; code: ExecutionEndCode };

/**
 * One execution of the native agent. Keeps everything in memory and reports through `emit`. On every path each reported call gets one
 * result, no process of a tool is left running, and exactly one `end` comes last.
 */
export async function runNativeTurn(options: NativeTurn): Promise<TurnStatus> {
  const turn = createTurn(options);
  const ending = await converse(turn, options).catch((error: unknown): Ending => {
    if (turn.signal.aborted) return { status: "cancelled" };
    const limit = error instanceof ModelError ? toProviderLimit(error, turn.now()) : undefined;
    if (limit !== undefined) turn.emit({ type: "limit", limit, at: turn.now() });
    return { status: "failed", reason: describeFailure(error) };
  });
  settleOpenCalls(turn);
  // A failed release must not prevent the end from being reported.
  const left = await options.release?.().catch((error: unknown): NoticeText => ({ code: "not-released", reason: String(error) }));
  if (left !== undefined) notify(turn, left, "jobs-ended");
  turn.emit({ type: "end", ...ending, usage: turn.spent.usage, at: turn.now() });
  return ending.status;
}

export function createTurn(options: NativeTurn): Turn {
  const { input } = options;
  const tools = new Map(options.tools.map((tool) => [tool.definition.name, tool]));
  const steps = input.maxSteps === undefined ? {} : { cycles: input.maxSteps };
  const cost = input.maxCostUsd === undefined ? {} : { costUsd: input.maxCostUsd };
  const turn: Turn = {
    model: options.model,
    summaryModel: options.summaryModel,
    window: options.model.contextWindow,
    counter: createTokenCounter({ model: input.model }),
    reasoningEffort: input.reasoningEffort,
    tools,
    permissionMode: input.permissionMode,
    approvals: options.approvals,
    emit: options.emit,
    recorded: options.recorded ?? (async () => true),
    signal: options.signal,
    now: options.now,
    createMessageId: options.createMessageId,
    limits: { ...defaultLimits, ...steps, ...cost, ...options.limits },
    openCalls: new Map(),
    usedCallIds: new Set(
      input.history.flatMap(({ body }) => (body.role === "assistant" ? (body.toolCalls ?? []).map((call) => call.id) : [])),
    ),
    grants: [...input.grants],
    directory: input.directory,
    spent: { usage: {} },
    changes: new SerialQueue(),
    omissions: { ...noOmissions },
  };
  for (const tool of [createAskTool(turn), createTaskTool(turn, options)]) tools.set(tool.definition.name, tool);
  if (turn.permissionMode === "plan") enterPlanMode(turn);
  // what is built only to be measured is not sent, and not in the debug log
  turn.counter = createCalibratedCounter({ ...options, buildRequest: measure, definitions: toToolDefinitions(tools).text });
  return turn;
}

async function converse(turn: Turn, { input, systemPrompts, buildRequest, steering, expandMessage }: NativeTurn): Promise<Ending> {
  const compaction = createCompaction(turn, { input, systemPrompts });
  const command = readCompactCommand(input.message);
  if (command !== undefined) {
    const outcome = await compaction.byHand(input.history, command.instruction);
    return outcome.type === "failed" ? { status: "failed", reason: outcome.text } : { status: "success" };
  }
  const request: MessageEntity = { id: input.messageId ?? turn.createMessageId(), body: toUserMessage(input) };
  let messages: MessageEntity[] = [...input.history, request];
  await compaction.fit(messages);
  turn.signal.throwIfAborted();
  const goOn = () => {
    const { summary, pruning } = compaction.current;
    messages = [...applyPruning(messages, pruning)];
    return runConversation(turn, {
      systemPrompts,
      messages,
      summary,
      buildRequest,
      cycles: turn.limits.cycles,
      takeSteering: () => steering.take(),
      ...(expandMessage === undefined ? {} : { expandMessage }),
    });
  };
  const end = await goOn().catch(async (error: unknown) => {
    // The context window is smaller than declared: the history is compressed, and the turn continues.
    const isTooLong = error instanceof ModelError && error.kind === "context-too-long" && !turn.signal.aborted;
    if (!isTooLong || !(await compaction.fit(messages))) throw error;
    return goOn();
  });
  const ending = toEnding(turn, end);
  // now, while the user reads, rather than after the next message
  if (ending.status === "success") await compaction.fit(messages);
  return ending;
}

function toEnding(turn: Turn, end: ConversationEnd): Ending {
  switch (end.type) {
    case "step-limit":
      return { status: "interrupted", reason: { code: end.type, steps: turn.limits.cycles }, code: end.type };
    case "cost-limit": {
      const reason: NoticeText = { code: end.type, spentUsd: turn.spent.usage.costUsd ?? 0, limitUsd: turn.limits.costUsd };
      return { status: "interrupted", reason, code: end.type };
    }
    case "answered": {
      const { stopReason, body } = end.message;
      if (stopReason === "refusal") return { status: "failed", reason: { code: "model-declined" } };
      if (stopReason === "length") notify(turn, { code: "output-limit" }, "output-limit");
      else if (body.content.length === 0) notify(turn, { code: "empty-answer" }, "empty-answer");
      return { status: "success" };
    }
  }
}

export function toUserMessage({ message, images }: Pick<NativeInput, "message" | "images">): UserMessage {
  if (images.length === 0) return { role: "user", content: message };
  return { role: "user", content: [...(message === "" ? [] : [{ type: "text" as const, text: message }]), ...images] };
}

/** What a provider's words and its headers say about when requests are possible again; undefined if waiting does not help. */
function toProviderLimit(error: ModelError, now: number): ProviderLimit | undefined {
  const code = error.kind === "rate-limit" ? "rate-limit" : error.kind === "overloaded" ? "overloaded" : undefined;
  if (code === undefined) return undefined;
  const said = findProviderLimit(error.message, { now });
  const resetsAt = error.retryAfterMs === undefined ? (said?.resetsAt ?? null) : now + error.retryAfterMs;
  return { code: said?.code ?? code, resetsAt, scope: said?.scope ?? null };
}

/** The text of a provider's failure for the user; other errors include what to do. */
const modelFailures: Partial<Record<ModelErrorKind, ModelFailure>> = {
  "rate-limit": "rate-limit",
  quota: "quota",
  overloaded: "server",
  network: "network",
};

function describeFailure(error: unknown): MessageText {
  const failure = error instanceof ModelError ? modelFailures[error.kind] : undefined;
  if (error instanceof ModelError) return failure === undefined ? error.text : toFailureText(failure, error.message, { name: "Skein" });
  return { code: "native-failed", reason: error instanceof Error ? error.message : String(error) };
}
