import {
  type AgentHint,
  type AgentId,
  type AgentInfo,
  type CodedText,
  isSessionId,
  type JsonValue,
  type ModelInfo,
  type NoticeText,
  type PermissionControl,
  type PlanSupport,
  type SystemPromptSupport,
} from "@skein/contracts";
import type {
  AgentAdapter,
  AgentCapabilities,
  AgentDecoder,
  AgentHomeEntry,
  DriverLaunch,
  SessionListResult,
  SessionPoint,
} from "@skein/engine";
import { type AgentLogin, explainModelFailure, findGateway, findModelFailure } from "../failures/explain-model-failure.ts";
import type { DecoderOptions } from "../lines/json-line-decoder.ts";
import { describeProgram, type ProgramNeeds } from "../programs/describe-program.ts";
import { skeinTokenVariable } from "../skein/skein-server.ts";
import { encodeDriverControl } from "./driver-control.ts";
import type { DriverKind, DriverOrder } from "./driver-order.ts";
import { toLaunchSandbox } from "./to-launch-sandbox.ts";
import { toTranscript } from "./to-transcript.ts";

/** The server's view of one agent. Its protocol is up to its driver. */
export interface DrivenAgentKind {
  id: AgentId;
  name: string;
  driver: DriverKind;
  program: ProgramNeeds;
  /** Its ids in the public ACP registry, where it is not offered again. */
  catalogueIds?: readonly string[];
  /** Environment variables that this agent reads: names, or prefixes that end with `*`. */
  environment: readonly string[];
  /** Variables that are set for every start. */
  fixedEnvironment?: Readonly<Record<string, string>>;
  /** Models to offer in addition to the agent's own default; the user may enter others. */
  models: readonly ModelInfo[];
  options?: JsonValue;
  /** What permission modes mean for it. */
  permissionControl: PermissionControl;
  /** Whether it supports a plan mode. */
  planSupport: PlanSupport;
  /** Whether it supports the user's system prompts. */
  systemPromptSupport: SystemPromptSupport;
  /** Loaded on first use: a server that runs no such agent does not load its decoder. */
  loadDecoder(): Promise<(options: DecoderOptions) => AgentDecoder>;
  /** Lists the agent's own sessions; absent if its protocol has no such request. Loaded on first use. */
  loadSessionList?(): Promise<(order: SessionListOrder) => Promise<SessionListResult>>;
  /** See `AgentAdapter.findSessionPoint`. */
  findSessionPoint?(line: string): SessionPoint | undefined;
  /** How the user logs in. */
  login?: AgentLogin;
  /** What it needs in a sandbox, besides the addresses in its environment. Absent: nothing. */
  sandbox?: {
    /** Of its provider. */
    hosts: readonly string[];
    home: readonly AgentHomeEntry[];
    /** Addresses in its own settings. */
    findHosts?(environment: Readonly<Record<string, string>>): Promise<readonly string[]>;
  };
  /** Explains failures that are specific to this agent, and how to fix them. */
  explainFailure?(reason: string): NoticeText | AgentHint | undefined;
}

/** Input for starting an agent's program to list its sessions. */
export interface SessionListOrder extends Pick<DriverOrder, "name" | "command" | "directory" | "trustsRepository" | "options"> {
  /** The complete environment. */
  environment: Readonly<Record<string, string>>;
}

/** The user's settings for an agent in config.json. */
export interface DrivenAgentSettings {
  /** Program and arguments, instead of the one on PATH. */
  command?: readonly [string, ...string[]] | undefined;
  environment?: Readonly<Record<string, string>> | undefined;
  /** Listed first. */
  models?: readonly string[] | undefined;
}

/** What the server provides to every driven agent. */
export interface DrivenAgentHost {
  /** The server's environment: an agent gets the variables that its definition names. */
  environment: NodeJS.ProcessEnv;
  /** Variables that every agent gets. */
  baseEnvironment: Readonly<Record<string, string>>;
}

/** Capabilities of every agent with its own sessions. */
export const drivenCapabilities: AgentCapabilities = {
  commitsAtEnd: false,
  closesItself: false,
  reportsUsagePerMessage: false,
  mayEndSilently: true,
  readsHistoryFile: false,
  takesMcpServers: false,
  readsRepositorySettings: true,
  usesServerModels: false,
  compressesHistory: false,
};

/** An agent that is a separate program, driven by a driver in the runner. */
export function createDrivenAgent(kind: DrivenAgentKind, settings: DrivenAgentSettings, host: DrivenAgentHost): AgentAdapter<DriverLaunch> {
  const ownEnvironment = { ...pickEnvironment(host.environment, kind.environment), ...kind.fixedEnvironment, ...settings.environment };
  const models = [...(settings.models ?? []).map((id): ModelInfo => ({ id, name: id })), ...kind.models];
  const { loadSessionList } = kind;
  const program = describeProgram({ needs: kind.program, name: kind.name, command: settings.command, searchPath: host.environment.PATH });
  return {
    id: kind.id,
    name: kind.name,
    capabilities: drivenCapabilities,
    recordWriter: "driver",
    planSupport: kind.planSupport,
    async describe({ refresh = false } = {}) {
      const state = await program.describe({ environment: { ...host.baseEnvironment, ...ownEnvironment }, refresh });
      const { id, name, permissionControl, planSupport, systemPromptSupport } = kind;
      const support = { permissionControl, planSupport, systemPromptSupport, listsSessions: loadSessionList !== undefined };
      const capabilities = { compressesHistory: drivenCapabilities.compressesHistory };
      return { id, name, models, ...support, capabilities, ...state } satisfies AgentInfo;
    },
    async createLaunch(context) {
      const { attempt, executionId, message, images, history, compression, grants, environment, keys = {} } = context;
      const order: DriverOrder = {
        driver: kind.driver,
        executionId,
        name: kind.name,
        command: context.program?.command ?? (await program.getCommand({ ...host.baseEnvironment, ...ownEnvironment })),
        directory: attempt.directory,
        message,
        images,
        sessionId: toSessionId(attempt.sessionId ?? attempt.resumedSession ?? null),
        mustResume: attempt.sessionId === null && attempt.resumedSession !== undefined,
        ...(context.isRetry === true ? { isRetry: true } : {}),
        ...(context.resumeAt === undefined ? {} : { resumeAt: context.resumeAt }),
        ...(toSessionId(context.forkFrom ?? null) === null ? {} : { forkFrom: context.forkFrom }),
        transcript: toTranscript(history, compression),
        model: attempt.model,
        permissionMode: attempt.permissionMode,
        agentMode: attempt.agentMode ?? null,
        grants,
        systemPrompts: context.systemPrompts ?? [],
        trustsRepository: context.trustsRepositorySettings ?? false,
        ...(context.skein === undefined ? {} : { skeinUrl: context.skein.url }),
        trustedFiles: context.trustedFiles ?? [],
        options: kind.options ?? null,
      };
      const launched = {
        ...withKeys(context.program?.environment ?? { ...environment, ...ownEnvironment }, pickEnvironment(keys, kind.environment)),
        ...(context.skein === undefined ? {} : { [skeinTokenVariable]: context.skein.token }),
      };
      return {
        driverOrder: JSON.stringify(order),
        cwd: attempt.directory,
        environment: launched,
        ...(context.sandbox === undefined ? {} : { sandbox: await toLaunchSandbox(kind, context, launched) }),
      };
    },
    getProgram: async ({ environment }) => ({
      command: await program.getCommand({ ...host.baseEnvironment, ...ownEnvironment }),
      environment: { ...environment, ...ownEnvironment },
    }),
    ...(loadSessionList === undefined
      ? {}
      : {
          async listSessions({ directory, environment, trustsRepositorySettings }) {
            const list = await loadSessionList();
            return list({
              name: kind.name,
              command: await program.getCommand({ ...host.baseEnvironment, ...ownEnvironment }),
              directory,
              trustsRepository: trustsRepositorySettings ?? false,
              options: kind.options ?? null,
              environment: { ...environment, ...ownEnvironment },
            });
          },
        }),
    toTranscript,
    async createDecoder(options) {
      const createDecoder = await kind.loadDecoder();
      return createDecoder(options);
    },
    encodeApproval: (answer) => encodeDriverControl({ type: "approval", ...answer }),
    encodeSteering: (message) => encodeDriverControl({ type: "message", ...message }),
    encodeSettings: (changed) => encodeDriverControl({ type: "settings", ...changed }),
    ...(kind.findSessionPoint === undefined ? {} : { findSessionPoint: kind.findSessionPoint }),
    explainFailure: (reason) => explainFailure(kind, reason, ownEnvironment),
  };
}

function explainFailure(kind: DrivenAgentKind, reason: string, environment: Readonly<Record<string, string>>): CodedText | undefined {
  const { name, login } = kind;
  const gateway = findGateway(reason, environment);
  const general = explainModelFailure(reason, { name, login, gateway });
  // a user who is logged in at the agent's provider can still have a wrong key for a gateway
  if (gateway !== undefined && findModelFailure(reason) === "credentials") return general;
  return kind.explainFailure?.(reason) ?? general;
}

/** A stored session id that could be read as something else is not resumed: a new session begins. */
function toSessionId(id: string | null): string | null {
  return id !== null && isSessionId(id) ? id : null;
}

/** A login of the user is not used next to a key of the server, which would be preferred. */
function withKeys(own: Readonly<Record<string, string>>, keys: Readonly<Record<string, string>>): Record<string, string> {
  const { ANTHROPIC_API_KEY: ofServer, ...others } = own;
  const isReplaced = ofServer === undefined || keys.CLAUDE_CODE_OAUTH_TOKEN !== undefined;
  return { ...(isReplaced ? others : own), ...keys };
}

function pickEnvironment(environment: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  const isPicked = (name: string): boolean =>
    names.some((wanted) => (wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted));
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value !== undefined && isPicked(name) ? [[name, value]] : [])),
  );
}
