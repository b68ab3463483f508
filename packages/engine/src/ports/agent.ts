import type {
  AgentHint,
  AgentId,
  AgentInfo,
  AgentOutput,
  AgentSessionList,
  ApprovalAnswers,
  ApprovalDecision,
  Attempt,
  ClientCapabilities,
  CodedText,
  Compression,
  ExecutionId,
  ImagePart,
  JsonValue,
  MessageEntity,
  MessageId,
  MessageText,
  ModelFailureText,
  PermissionGrant,
  PlanApproval,
  PlanSupport,
  ProblemText,
  RequestProvider,
  UsableMcpServer,
  Usage,
} from "@skein/contracts";
import { formatText } from "../coded-texts/format-text.ts";

/** A message of an attempt; an answer also has what its provider reported. */
export interface HistoryMessage extends MessageEntity {
  model?: string | undefined;
  usage?: Usage | undefined;
  createdAt?: number | undefined;
}

/** An agent cannot be started here; thrown by `createLaunch`. */
export class AgentUnusableError extends Error {
  override readonly name = "AgentUnusableError";
  readonly hint: AgentHint;

  constructor(hint: AgentHint) {
    super(formatText(hint));
    this.hint = hint;
  }
}

export interface LaunchContext {
  attempt: Attempt;
  executionId: ExecutionId;
  message: string;
  /** Under which it is stored. */
  messageId?: MessageId;
  images: readonly ImagePart[];
  /**
   * What was said in this attempt before, oldest first, without the new message. Of a long one the middle may be missing. Empty for
   * an adapter that reads `historyFile`.
   */
  history: readonly HistoryMessage[];
  /** All of it, a `HistoryMessage` per line, for agents with the capability `readsHistoryFile`. The agent removes the file when it has read it. */
  historyFile?: string;
  /** The message was sent before and was not answered: the agent's session may end with it. */
  isRetry?: boolean;
  /** For a retry: where the session was before the message, from `findSessionPoint`. */
  resumeAt?: string;
  /** The session of the attempt that this one continues from, where it belongs to the same agent and has what the history has. */
  forkFrom?: string;
  /** What stands between the history and its requests. */
  compression: Compression;
  /** What the user has always allowed in this project. */
  grants: readonly PermissionGrant[];
  /** The user's own, the widest first. Agents that cannot be given one leave them out. */
  systemPrompts?: readonly string[];
  /** The file that the runner appends the agent's stdout to. */
  log?: string;
  /** The allow-listed environment that every agent gets. */
  environment: Readonly<Record<string, string>>;
  /** Whose tools it may use; where an agent finds its servers itself, there are none. */
  mcpServers?: readonly UsableMcpServer[];
  /** False: nothing that the repository brings along for an agent (hooks, settings, MCP servers) may run. */
  trustsRepositorySettings?: boolean;
  /** Files that these settings name or load, with the settings themselves. */
  trustedFiles?: readonly string[];
  /** What the user should know about this execution. */
  notices?: readonly MessageText[];
}

export interface SessionListContext extends Pick<LaunchContext, "environment" | "trustsRepositorySettings"> {
  directory: string;
}

/** The sessions, or why they cannot be listed. */
export type SessionListResult = ({ ok: true } & AgentSessionList) | { ok: false; problem: ProblemText };

/** What is asked for when the next request is to be shown, not sent. */
export interface PreviewContext
  extends Omit<LaunchContext, "message" | "messageId" | "images" | "mcpServers" | "grants" | "history" | "historyFile"> {
  /** All of it, read when it is taken. */
  history: AsyncIterable<readonly HistoryMessage[]>;
  /** Null: the turn continues without a message of the user. */
  message: string | null;
  provider?: RequestProvider | undefined;
  /** Names only: no server is started. */
  mcpServerNames: readonly string[];
  /** Folders of the attempt's earlier executions, newest first. */
  executionFolders: readonly string[];
}

/** How an agent is started. Nothing in it ever comes from a request but `stdin`, and the message in a driver's order. */
export type AgentLaunch = ProgramLaunch | DriverLaunch;

/** An agent that is spoken to by a driver, which runs inside the execution's runner and starts the agent's program. */
export interface DriverLaunch {
  /** The driver's order, as JSON. */
  driverOrder: string;
  cwd: string;
  /** For the agent's program and all that it starts. */
  environment: Readonly<Record<string, string>>;
}

/** An agent that is a program of ours, which writes the records of its log to stdout. */
export interface ProgramLaunch {
  program: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** The first bytes on its stdin, which stays open for answers. */
  stdin: string;
}

/** A program that prints a request. */
export interface PreviewLaunch extends Omit<ProgramLaunch, "stdin"> {
  /** What is written to its stdin, which then ends. Made piece by piece: a long history must not block the thread. */
  stdin: AsyncIterable<string>;
}

/** One line of the execution log, without its line end. */
export interface LogLine {
  text: string;
  /** Byte offset of its start: with the execution's id it names what has no id of its own. */
  offset: number;
  /** When the runner received it. */
  at: number;
}

/** Turns lines into outputs, in the order of the log. What it remembers between lines is bounded. */
export interface AgentDecoder {
  /** Never throws: what cannot be read becomes a `raw` output. */
  decode(line: LogLine): AgentOutput[];
  /** Small and JSON; null for a decoder that remembers nothing. */
  snapshot(): JsonValue;
}

export interface ApprovalAnswer {
  toolUseId: string;
  requestId: string | undefined;
  toolName: string;
  input: JsonValue;
  decision: ApprovalDecision;
  reason: string | null;
  grant: PermissionGrant | undefined;
  answers: ApprovalAnswers | undefined;
  /** How to carry out the plan that was approved. */
  plan?: PlanApproval | undefined;
}

/** A message in an agent's own session, by the agent's id of it. */
export interface SessionPoint {
  sessionId: string;
  messageId: string;
}

/** What sets agents apart. Each is one fact; whoever depends on it reads it here instead of comparing ids. */
export interface AgentCapabilities extends ClientCapabilities {
  /**
   * The whole execution is committed once, at its end, and shown from memory until then. Otherwise the agent speaks in complete messages,
   * which are committed as they arrive.
   */
  commitsAtEnd: boolean;
  /** Its last record is its end: a log without one was cut off, whatever the exit code. */
  closesItself: boolean;
  /** The usage of its messages adds up to that of the execution. Others repeat the figures of a message, or report a part of them. */
  reportsUsagePerMessage: boolean;
  /** A failed request of it may look like a regular end without output: such an end counts as a failure. */
  mayEndSilently: boolean;
  /** It builds its requests from the whole history, in a file: it may be too long to be held by the server. */
  readsHistoryFile: boolean;
  /** It is given its MCP servers with each launch. Others find theirs themselves. */
  takesMcpServers: boolean;
  /** It reads settings for agents (hooks, MCP servers) that a repository brings along. */
  readsRepositorySettings: boolean;
}

export interface AgentAdapter<Launch extends AgentLaunch = AgentLaunch> {
  readonly id: AgentId;
  readonly name: string;
  readonly capabilities: AgentCapabilities;
  /** Which records of Skein its log holds: those of a driver between the agent's lines, or those of the native agent. */
  readonly recordWriter: "driver" | "native";
  /** Whether it can be asked for a plan first; left out, it cannot. */
  readonly planSupport?: PlanSupport;
  /** `refresh` looks again at what was found out before. */
  describe(options?: { refresh?: boolean }): Promise<AgentInfo>;
  /** Why it cannot use this model here; undefined where it can. */
  findModelProblem?(modelId: string, options: { directory: string }): Promise<ModelFailureText | undefined>;
  createLaunch(context: LaunchContext): Promise<Launch>;
  /** The agent's own sessions in a folder, with or without Skein; left out where they cannot be listed. Starts its program. */
  listSessions?(context: SessionListContext): Promise<SessionListResult>;
  /** A program that prints its next request (`requestPreviewSchema`) and sends nothing; undefined where it cannot be known. */
  createPreview?(context: PreviewContext): Promise<PreviewLaunch>;
  /** What a session of this agent that knows nothing yet is given to read; null while nothing was said. */
  toTranscript?(history: readonly HistoryMessage[], compression: Compression): string | null;
  /** For the agent's own lines in the log of one execution, from its start or from where a `snapshot` was taken. */
  createDecoder(context: { executionId: ExecutionId; directory?: string; snapshot?: JsonValue }): AgentDecoder | Promise<AgentDecoder>;
  /**
   * What “always” may allow for a question of this agent: computed here, from the call, and never taken from a record of the log
   * (X15). `offered` is what the record says; undefined where that is not what this call would give. Left out, the decoder has
   * computed it from the agent's own line.
   */
  checkGrant?(call: {
    toolName: string;
    input: JsonValue;
    directory: string;
    offered: PermissionGrant;
  }): Promise<PermissionGrant | undefined>;
  /** The point that a session can be resumed at once it has printed this line, in place of its end; left out, there is none. */
  findSessionPoint?(line: string): SessionPoint | undefined;
  /** The bytes that send the user's answer to the agent. Sending them twice must do no harm. */
  encodeApproval(answer: ApprovalAnswer): string;
  /** The bytes that bring a message to the agent while it works; undefined where it takes none. */
  encodeSteering?(message: { id: MessageId; text: string; images: readonly ImagePart[] }): string;
  /** The bytes that change the settings of an agent at work; undefined where they count from the next execution on. */
  encodeSettings?(settings: Pick<Attempt, "model" | "permissionMode" | "agentMode">): string;
  /** What a failure means and how to fix it; undefined where the agent's own words are enough. */
  explainFailure?(reason: string): CodedText | undefined;
}
