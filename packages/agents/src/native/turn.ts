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
  /** Model calls in one execution, retries not counted; infinite where there is no limit. */
  cycles: number;
  /** Model calls of one subagent. */
  subagentCycles: number;
  /** No model call is made once this much was spent. */
  costUsd: number;
  /** Retries of one model call. */
  retries: number;
  /** Before the first retry; doubles each time. */
  retryDelayMs: number;
}

export const defaultLimits: TurnLimits = {
  cycles: Number.POSITIVE_INFINITY,
  subagentCycles: 25,
  costUsd: Number.POSITIVE_INFINITY,
  retries: 4,
  retryDelayMs: 1000,
};

/** Builds the messages of one request. Throws `RequestValidationError` when nothing is left to send. */
export type BuildRequest = (input: {
  systemPrompts: readonly string[];
  messages: readonly MessageEntity[];
  summary: CompressionSummary | null;
}) => MessageBody[];

/** What the parts of one turn share; a subagent has a copy with its own tools, calls and `emit`. */
export interface Turn {
  model: Model;
  /** Writes summaries when there is one; the model itself when it fails. */
  summaryModel: Model | undefined;
  /** What a request may have; less than the model's where its server has refused less. */
  window: number;
  /** Corrected by what the provider reports of each request. */
  counter: TokenCounter;
  reasoningEffort: ReasoningEffort | undefined;
  tools: ReadonlyMap<string, NativeTool>;
  permissionMode: PermissionMode;
  approvals: PendingApprovals;
  emit(output: AgentOutput): void;
  /** Resolves with true when what was emitted will outlive this process; with false when it was stopped before. */
  recorded(): Promise<boolean>;
  signal: AbortSignal;
  now(): number;
  createMessageId(): MessageId;
  limits: TurnLimits;
  /** Calls that were shown and have no result yet: id → tool name. */
  openCalls: Map<string, string>;
  /** Every call id of the conversation: a model that uses one twice gets a new one for the second. */
  usedCallIds: Set<string>;
  /** What the user allowed permanently, in this execution or before. */
  grants: PermissionGrant[];
  /** The working folder: grants count inside of it. */
  directory: string;
  /** Of the whole execution, subagents included. */
  spent: { usage: Usage };
  /** Tools that change something take their turns, whichever conversation of the execution they are called in. */
  changes: SerialQueue;
  /** What the provider refused once is left out of every later request. */
  omissions: RequestOmissions;
}

export function notify(turn: Turn, text: MessageText, code: string): void {
  turn.emit({ type: "notice", messageId: turn.createMessageId(), text, code, at: turn.now() });
}

/** Calls of a message that broke off: shown, never run. */
export function settleOpenCalls(turn: Turn): void {
  for (const [toolUseId, toolName] of turn.openCalls) {
    const resultId = turn.createMessageId();
    const output = "Stopped before it ran.";
    turn.emit({ type: "tool-result", resultId, toolUseId, toolName, output, isError: true, state: "interrupted", at: turn.now() });
  }
  turn.openCalls.clear();
}
