import type {
  AgentId,
  AgentOutput,
  ExecutionId,
  ImagePart,
  ImportProblem,
  ImportSource,
  MessageText,
  TaskStatus,
  Usage,
} from "@skein/contracts";

/** A session that another program keeps on this machine. */
export interface FoundSession {
  /** Unique in its source. */
  id: string;
  agent: AgentId;
  /** The agent's id of the session, to resume it; null if it cannot be resumed. */
  agentSessionId: string | null;
  title: string | null;
  /** Where the agent worked. */
  directory: string | null;
  startedAt: number;
  updatedAt: number;
  bytes: number;
  /** Differs when the content of the session has changed. */
  fingerprint: string;
  /** The files of the session, or its database: for problems, and for its own reader. */
  files: readonly string[];
  /** The task that the session belongs to, if the program has tasks. */
  task?: { id: string; title: string; description: string; status: TaskStatus };
}

/** A user's message: the beginning of an execution. */
export interface Turn {
  /** Unique in the session; the same in each read. */
  key: string;
  /** Where it begins in its source. */
  position: number;
  /** What the reader needs to know to begin here again. */
  mark: string;
  at: number;
  text: string;
  images: readonly ImagePart[];
}

/** How the current turn ended, as far as it is known. */
export interface TurnEnd {
  status?: "success" | "failed" | "cancelled" | "interrupted";
  reason?: MessageText;
  usage?: Usage;
  /** `<provider>/<model>`, if the cost is to be computed from the tokens. */
  model?: string;
}

/** Receives a session piece by piece, in order. */
export interface SessionSink {
  /** The id for the decoder of the turn. */
  beginTurn(turn: Turn): ExecutionId;
  /** Of the current turn. Outputs before the first turn are ignored. */
  output(output: AgentOutput): void;
  /** Adds to what is known about the end of the current turn. */
  endTurn(end: TurnEnd, at: number): void;
  /** The session's own title. */
  title(title: string): void;
  problem(problem: Omit<ImportProblem, "sessionId">): void;
  /** The reader has read a line or record. */
  countLine(): void;
  /** Called between pieces: other work may run. */
  pause(): Promise<void> | undefined;
  /** Reading starts over at the beginning: the mark does not fit the content any more. */
  restart(): void;
}

/** Where the last read found the last turn. */
export interface ReadFrom {
  position: number;
  mark: string;
}

/** The environment variables that determine where programs keep their data; `HOME` at least. */
export type SourceEnvironment = Readonly<Record<string, string | undefined>>;

/** What was found of one program. */
export interface FoundSessions {
  /** The folders and databases that exist. */
  places: string[];
  sessions: FoundSession[];
  problems: ImportProblem[];
}

/** What a source needs while it is open. */
export interface SourceContext {
  environment: SourceEnvironment;
  /** A private folder for copies of databases; created when it is needed. */
  scratch: string;
  /** Called between files: other work may run. */
  pause(): Promise<void> | undefined;
}

/** Reads sessions; a database is copied once. */
export interface OpenSource extends AsyncDisposable {
  find(): Promise<FoundSessions>;
  /** Rejects only for a defect, or when `sink` throws. What cannot be read is reported as a problem. */
  read(session: FoundSession, options: { sink: SessionSink; from?: ReadFrom | undefined }): Promise<void>;
}

/** A program whose sessions can be imported. Only reads: no file of the program is created, changed or locked. */
export interface SessionSource {
  readonly id: ImportSource;
  readonly name: string;
  /** Where new sessions appear: for a watcher. They may not exist. */
  listPlaces(environment: SourceEnvironment): string[];
  open(context: SourceContext): OpenSource;
}

/** A source that keeps sessions in files. */
export function createFileSource(
  source: Pick<SessionSource, "id" | "name" | "listPlaces"> & {
    find(environment: SourceEnvironment, options: Pick<SourceContext, "pause">): Promise<FoundSessions>;
    read: OpenSource["read"];
  },
): SessionSource {
  const { find, read, ...named } = source;
  return {
    ...named,
    open: ({ environment, pause }) => ({ find: () => find(environment, { pause }), read, async [Symbol.asyncDispose]() {} }),
  };
}
