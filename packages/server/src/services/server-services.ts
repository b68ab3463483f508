import type {
  AddAgent,
  AgentCatalogue,
  AgentId,
  AgentInfo,
  AgentList,
  AttemptDefaults,
  Delivery,
  ForgeAccess,
  ForgeKind,
  GeneralSettings,
  ImportRun,
  ImportRuns,
  ImportSources,
  NodeId,
  ProjectId,
  ProviderKey,
  ProviderName,
  SequencedEvent,
  ServerNode,
  Settings,
  SkeinEvent,
  StartImport,
  TaskId,
  UpdateAgent,
  UpdateAttemptDefaults,
  UpdateGeneralSettings,
} from "@skein/contracts";
import type { LiveLine } from "../nodes/live-relay.ts";

/** The agents that can be started, and those that can be added. */
export interface AgentService {
  /** `refresh` also rereads config.json. */
  list(options?: { refresh?: boolean }): Promise<AgentList>;
  catalogue(): Promise<AgentCatalogue>;
  /** Rejects with code `catalogue-changed` if the entry is not the one that was shown. */
  add(input: AddAgent): Promise<AgentInfo>;
  /** Only for added agents. */
  update(id: AgentId, changes: UpdateAgent): Promise<AgentInfo>;
  /** Running executions continue, and conversations are kept. */
  remove(id: AgentId): Promise<void>;
}

/** The settings in config.json that the API changes. */
export interface SettingsService {
  /** Returns which keys are set, never a key. */
  get(): Promise<Settings>;
  setProviderKey(name: ProviderName, apiKey: string): Promise<ProviderKey>;
  removeProviderKey(name: ProviderName): Promise<void>;
  setDefaults(changes: UpdateAttemptDefaults): Promise<AttemptDefaults>;
  defaults(): AttemptDefaults;
  setGeneral(changes: UpdateGeneralSettings): Promise<GeneralSettings>;
  general(): GeneralSettings;
  /** Stores the token of a forge's host, which from then on counts as a forge of that kind. */
  setForgeToken(host: string, input: { kind: ForgeKind; token: string }): Promise<ForgeAccess>;
  removeForgeToken(host: string): Promise<void>;
}

/** The servers that share the database. */
export interface NodeService {
  list(): Promise<ServerNode[]>;
  /** Begins or ends to drain a server. */
  update(id: NodeId, changes: { draining: boolean }): Promise<ServerNode>;
  remove(id: NodeId): Promise<void>;
  /** Calls `listener` with what agents of this server show before it is committed. Returns a function that ends it. */
  followLive(listener: (line: LiveLine) => void): Promise<() => void>;
}

/** Sessions of other programs, and exported attempts. */
export interface ImportService {
  /** What was found on this machine. Takes as long as it takes to list the files. */
  sources(): Promise<ImportSources>;
  runs(): ImportRuns;
  /** Returns at once; see `runs` for its progress. */
  start(input: StartImport): ImportRun;
  /** Stores and checks an exported attempt that a client sends, then starts its import. Throws a `ServiceError` if it is none. */
  startFile(input: { projectId: ProjectId; content: AsyncIterable<Uint8Array> }): Promise<ImportRun>;
  stop(): ImportRuns;
  /** Imports new sessions while the setting `importWatch` is on. */
  watch(): void;
  close(): Promise<void>;
}

/** Events, stored and live. */
export interface EventService {
  /** Committed and live events from now on, in order. The listener must not block. Returns a function that removes it. */
  subscribe(listener: (delivery: Delivery) => void): () => void;
  list(query: { after: number; limit: number; taskId?: TaskId }): Promise<SequencedEvent[]>;
  lastSeq(): Promise<number>;
  /** For a client that has missed too much to be sent all of it. */
  missed(query: { after: number }): AsyncIterable<SkeinEvent>;
  /** Uncommitted output of running executions, for a client that connects now. */
  live(query: { taskId?: TaskId }): Delivery[];
}
