import type {
  AgentOutput,
  CompressionSummary,
  MessageBody,
  MessageEntity,
  MessageId,
  MessageText,
  PermissionGrant,
  PermissionMode,
  ReasoningEffort,
  Usage,
} from "@skein/contracts";
import type { Model, TokenCounter } from "@skein/engine";
import type { NativeTool } from "../tools/tool.ts";
import type { PendingApprovals } from "./pending-approvals.ts";
import type { RequestOmissions } from "./request-omissions.ts";
import type { SerialQueue } from "./serial-queue.ts";

export interface TurnLimits {
  /** Model calls in one execution, excluding retries; infinite without a limit. */
  cycles: number;
  /** Model calls of one subagent. */
  subagentCycles: number;
  /** No model call is made after this much was spent, in US dollars. */
  costUsd: number;
  /** Retries of one model call. */
  retries: number;
  /** Delay before the first retry; doubles each time. */
  retryDelayMs: number;
}

export const defaultLimits: TurnLimits = {
  cycles: Number.POSITIVE_INFINITY,
  subagentCycles: 25,
  costUsd: Number.POSITIVE_INFINITY,
  retries: 4,
  retryDelayMs: 1000,
};

/** Builds the messages of one request. Throws `RequestValidationError` if nothing is left to send. */
export type BuildRequest = (input: {
  systemPrompts: readonly string[];
  messages: readonly MessageEntity[];
  summary: CompressionSummary | null;
}) => MessageBody[];

/** State that the parts of one turn share; a subagent has a copy with its own tools, calls and `emit`. */
export interface Turn {
  model: Model;
  /** Writes summaries, if set; the model itself is the fallback. */
  summaryModel: Model | undefined;
  /** Token budget of a request; lowered after the provider rejects one. */
  window: number;
  /** Calibrated with the provider's figures for each request. */
  counter: TokenCounter;
  reasoningEffort: ReasoningEffort | undefined;
  tools: ReadonlyMap<string, NativeTool>;
  permissionMode: PermissionMode;
  approvals: PendingApprovals;
  emit(output: AgentOutput): void;
  /** Resolves with true when what was emitted is durable; with false if it was stopped before. */
  recorded(): Promise<boolean>;
  signal: AbortSignal;
  now(): number;
  createMessageId(): MessageId;
  limits: TurnLimits;
  /** Reported calls without a result: id → tool name. */
  openCalls: Map<string, string>;
  /** Every call id of the conversation: if a model repeats one, the second call gets a new id. */
  usedCallIds: Set<string>;
  /** What the user permanently allowed, in this execution or before. */
  grants: PermissionGrant[];
  /** The working folder: grants apply inside of it. */
  directory: string;
  /** Of the whole execution, including subagents. */
  spent: { usage: Usage };
  /** Tools that change something run one at a time, across all conversations of the execution. */
  changes: SerialQueue;
  /** Parts that the provider rejected once are left out of all later requests. */
  omissions: RequestOmissions;
}

export function notify(turn: Turn, text: MessageText, code: string): void {
  turn.emit({ type: "notice", messageId: turn.createMessageId(), text, code, at: turn.now() });
}

/** Calls of a message that broke off: reported, never run. */
export function settleOpenCalls(turn: Turn): void {
  for (const [toolUseId, toolName] of turn.openCalls) {
    const resultId = turn.createMessageId();
    const output = "Stopped before it ran.";
    turn.emit({ type: "tool-result", resultId, toolUseId, toolName, output, isError: true, state: "interrupted", at: turn.now() });
  }
  turn.openCalls.clear();
}
