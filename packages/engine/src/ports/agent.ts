import type {
  AgentHint,
  AgentId,
  AgentInfo,
  AgentOutput,
  AgentSessionList,
  ApprovalAnswers,
  ApprovalDecision,
  Attempt,
  AttemptId,
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
import type { AgentProgram } from "./agent-program.ts";

/** A message of an attempt; an answer also has its provider's figures. */
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

/** Everything that an adapter needs to launch an agent for one execution. */
export interface LaunchContext {
  attempt: Attempt;
  executionId: ExecutionId;
  message: string;
  /** The id under which it is stored. */
  messageId?: MessageId;
  images: readonly ImagePart[];
  /**
   * The earlier messages of this attempt, oldest first, without the new one. The middle of a long history may be missing. Empty for an
   * adapter that reads `historyFile`.
   */
  history: readonly HistoryMessage[];
  /**
   * The complete history, one `HistoryMessage` per line, for agents with the capability `readsHistoryFile`. The agent deletes the file
   * after reading it.
   */
  historyFile?: string;
  /** The message was sent before and not answered: the agent's session may end with it. */
  isRetry?: boolean;
  /** For a retry: the session's point before the message, from `findSessionPoint`. */
  resumeAt?: string;
  /** The session of the attempt that this one continues from, if it belongs to the same agent and matches the history. */
  forkFrom?: string;
  /** The compression state to apply to the history. */
  compression: Compression;
  /** What the user has permanently allowed in this project. */
  grants: readonly PermissionGrant[];
  /** The user's own system prompts, the most general first. Ignored by agents that do not support them. */
  systemPrompts?: readonly string[];
  /** The file to which the runner appends the agent's stdout. */
  log?: string;
  /** The allow-listed environment that every agent gets. */
  environment: Readonly<Record<string, string>>;
  /** Keys of the project and of the user who sent the message, by variable. They replace those of the server. */
  keys?: Readonly<Record<string, string>>;
  /** For an attempt on another host: the agent's programs there. Default: those of this machine. */
  program?: AgentProgram | undefined;
  /** MCP servers whose tools it may use; empty for agents that find their servers themselves. */
  mcpServers?: readonly UsableMcpServer[];
  /** A budget applies to the execution: an agent with `callControl` asks before each call of a model. */
  asksBeforeCalls?: boolean;
  /** The agent may use Skein as an MCP server, at this address and with this token, which is valid while it works. */
  skein?: { url: string; token: string };
  /** False: nothing of the repository (hooks, settings, MCP servers) may run. */
  trustsRepositorySettings?: boolean;
  /** Files that these settings name or load, including the settings themselves. */
  trustedFiles?: readonly string[];
  /** Notices for the user about this execution. */
  notices?: readonly MessageText[];
  /** It runs in a sandbox, which may connect to these hosts and to those that the agent itself needs. */
  sandbox?: { hosts: readonly string[] };
}

/** Input of `listSessions`. */
export interface SessionListContext extends Pick<LaunchContext, "environment" | "trustsRepositorySettings"> {
  directory: string;
}

/** The sessions, or why they cannot be listed. */
export type SessionListResult = ({ ok: true } & AgentSessionList) | { ok: false; problem: ProblemText };

/** The input of a preview: the next request is shown, not sent. */
export interface PreviewContext
  extends Omit<LaunchContext, "message" | "messageId" | "images" | "mcpServers" | "skein" | "grants" | "history" | "historyFile"> {
  /** The complete history, read on demand. */
  history: AsyncIterable<readonly HistoryMessage[]>;
  /** Null: the turn continues without a user message. */
  message: string | null;
  provider?: RequestProvider | undefined;
  /** Names only: no server is started. */
  mcpServerNames: readonly string[];
  /** Folders of the attempt's earlier executions, newest first. */
  executionFolders: readonly string[];
}

/** How the operating system confines what an agent runs (L7). The host adds what depends on its folders. */
export interface LaunchSandbox {
  /** `program`: the agent's own program runs in the sandbox. `commands`: the agent is part of Skein and puts its commands into it. */
  scope: "program" | "commands";
  attemptId: AttemptId;
  /** Where it may connect to: names, addresses with a port. */
  hosts: readonly string[];
  /** The agent's own folders and files in the user's home. */
  home: readonly AgentHomeEntry[];
}

/** A folder or file of an agent in the home folder: each attempt in a sandbox has its own. */
export interface AgentHomeEntry {
  /** Relative to the home folder. */
  path: string;
  /** The variable that selects another folder. */
  variable?: string;
  /** Settings inside a folder, which the agent reads and cannot change. */
  reads?: readonly string[];
  /** Logins inside a folder, which the agent may renew: the same file as outside. */
  shares?: readonly string[];
  /** A file: the attempt starts with a copy of it. */
  isFile?: true;
}

/** How an agent is started. Nothing in it comes from a request except `stdin`, and the message in a driver's order. */
export type AgentLaunch = ProgramLaunch | DriverLaunch;

/** An agent with a driver, which runs inside the execution's runner and starts the agent's program. */
export interface DriverLaunch {
  /** The driver's order, as JSON. */
  driverOrder: string;
  cwd: string;
  /** For the agent's program and everything that it starts. */
  environment: Readonly<Record<string, string>>;
  sandbox?: LaunchSandbox;
}

/** An agent that is a program of Skein, which writes the records of its log to stdout. */
export interface ProgramLaunch {
  program: string;
  args: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  /** The first bytes on its stdin, which stays open for answers. */
  stdin: string;
  sandbox?: LaunchSandbox;
}

/** A program of Skein that reads its input, prints an answer and ends. */
export interface PrinterLaunch extends Omit<ProgramLaunch, "stdin" | "sandbox"> {
  /** The content of its stdin. Generated in pieces: a long history must not block the thread. */
  stdin: AsyncIterable<string>;
}

/** A question to a model, without tools or a history. */
export interface ModelQuestion {
  model: string;
  /** The system message. */
  instructions: string;
  question: string;
  directory: string;
  environment: Readonly<Record<string, string>>;
}

/** One line of the execution log, without its line end. */
export interface LogLine {
  text: string;
  /** Byte offset of its start: with the execution's id it identifies outputs without an id. */
  offset: number;
  /** When the runner received it. */
  at: number;
}

/** Converts lines to outputs, in log order. Its state between lines is bounded. */
export interface AgentDecoder {
  /** Never throws: unreadable lines become `raw` outputs. */
  decode(line: LogLine): AgentOutput[];
  /** The usage of the session before this execution, as its driver recorded it. Absent if the agent reports no totals of a session. */
  setUsageBefore?(usage: Usage): void;
  /** Small and JSON; null for a stateless decoder. */
  snapshot(): JsonValue;
}

/** The user's answer to an approval, as the adapter sends it to its agent. */
export interface ApprovalAnswer {
  toolUseId: string;
  requestId: string | undefined;
  toolName: string;
  input: JsonValue;
  decision: ApprovalDecision;
  reason: string | null;
  grant: PermissionGrant | undefined;
  answers: ApprovalAnswers | undefined;
  /** How to carry out the approved plan. */
  plan?: PlanApproval | undefined;
}

/** A message in an agent's own session, by the agent's id. */
export interface SessionPoint {
  sessionId: string;
  messageId: string;
}

/** Differences between agents. Each is one fact, read here instead of comparing ids. */
export interface AgentCapabilities extends ClientCapabilities {
  /**
   * The whole execution is committed once, at its end, and shown from memory until then. Otherwise the agent reports complete messages,
   * which are committed as they arrive.
   */
  commitsAtEnd: boolean;
  /** Its last record is its end: a log without one was cut off, whatever the exit code. */
  closesItself: boolean;
  /** The usage of its messages adds up to that of the execution. Others repeat figures, or report only a part. */
  reportsUsagePerMessage: boolean;
  /** A failed request may look like a normal end without output: such an end counts as a failure. */
  mayEndSilently: boolean;
  /** It builds its requests from the whole history, in a file: it may be too long for the server's memory. */
  readsHistoryFile: boolean;
  /** It gets its MCP servers with each launch. Others find theirs themselves. */
  takesMcpServers: boolean;
  /** It reads agent settings (hooks, MCP servers) of a repository. */
  readsRepositorySettings: boolean;
  /** It is part of Skein on every machine, and gets its models and keys from the server. Others are programs of the machine. */
  usesServerModels: boolean;
}

/** One kind of agent: how to detect, launch, read and control it. The server calls it; implementations are in `@skein/agents`. */
export interface AgentAdapter<Launch extends AgentLaunch = AgentLaunch> {
  readonly id: AgentId;
  readonly name: string;
  readonly capabilities: AgentCapabilities;
  /** Which of Skein's records its log contains: those of a driver between the agent's lines, or those of the native agent. */
  readonly recordWriter: "driver" | "native";
  /** Whether it supports planning; absent: it does not. */
  readonly planSupport?: PlanSupport;
  /** `refresh` ignores cached results. */
  describe(options?: { refresh?: boolean }): Promise<AgentInfo>;
  /** Why it cannot use this model here; undefined if it can. */
  findModelProblem?(modelId: string, options: { directory: string; keys?: LaunchContext["keys"] }): Promise<ModelFailureText | undefined>;
  createLaunch(context: LaunchContext): Promise<Launch>;
  /** How another server starts it on this machine; `environment` is what every agent gets. Throws `AgentUnusableError`. */
  getProgram?(context: Pick<LaunchContext, "environment">): Promise<AgentProgram>;
  /** Lists the agent's own sessions in a folder; absent if that is not supported. Starts its program. */
  listSessions?(context: SessionListContext): Promise<SessionListResult>;
  /** A program that prints its next request (`requestPreviewSchema`) and sends nothing; undefined if it is unknown. */
  createPreview?(context: PreviewContext): Promise<PrinterLaunch>;
  /** Asks one of its models a question outside of a conversation; absent if it has no models of its own. */
  questions?: {
    /** The model to ask about an attempt of any agent: the attempt's own or a cheaper one; undefined if none is configured. */
    findModel(attempt: Pick<Attempt, "agent" | "model">): Promise<string | undefined>;
    /** A program that sends the question to the model's provider and prints the answer (`questionAnswerSchema`). */
    createLaunch(question: ModelQuestion): PrinterLaunch;
  };
  /** The text that starts a new session of this agent; null if there are no messages yet. */
  toTranscript?(history: readonly HistoryMessage[], compression: Compression): string | null;
  /** Creates a decoder for the agent's lines in the log of one execution, from the start or from a `snapshot`. */
  createDecoder(context: { executionId: ExecutionId; directory?: string; snapshot?: JsonValue }): AgentDecoder | Promise<AgentDecoder>;
  /**
   * What “always” may allow for a request of this agent: computed here, from the call, and never taken from a record of the log (X15).
   * `offered` is the grant in the record; returns undefined if the call would give another one. Absent if the decoder has computed it
   * from the agent's own line.
   */
  checkGrant?(call: {
    toolName: string;
    input: JsonValue;
    directory: string;
    offered: PermissionGrant;
  }): Promise<PermissionGrant | undefined>;
  /** The point at which a session can be resumed after this line, instead of at its end; absent if not supported. */
  findSessionPoint?(line: string): SessionPoint | undefined;
  /** The bytes that send the user's answer to the agent. Sending them twice must be harmless. */
  encodeApproval(answer: ApprovalAnswer): string;
  /** The bytes that send a message to the working agent; undefined if it does not support that. */
  encodeSteering?(message: { id: MessageId; text: string; images: readonly ImagePart[] }): string;
  /** The bytes that change the settings of a working agent; undefined if they take effect with the next execution. */
  encodeSettings?(settings: Pick<Attempt, "model" | "permissionMode" | "agentMode">): string;
  /** For an agent that can be held back before each call of a model: the bytes that make it ask, and that let it make a call. */
  callControl?: { ask(): string; grant(callId: string): string };
  /** Explains a failure and how to fix it; undefined if the agent's own message is sufficient. */
  explainFailure?(reason: string): CodedText | undefined;
}
