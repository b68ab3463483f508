import { chmodSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import {
  agentIdSchema,
  agentLimitsSchema,
  budgetSettingsSchema,
  type ConfigProblem,
  compressionSettingsSchema,
  forgeHostSchema,
  forgeKindSchema,
  generalSettingsSchema,
  type McpProblem,
  modelIdSchema,
  parkingSettingsSchema,
  reasoningEffortSchema,
  resourceSettingsSchema,
  retentionSettingsSchema,
  runningLimitsSchema,
  sandboxSettingsSchema,
  toIssueText,
  workingModeSchema,
} from "@skein/contracts";
import { editors, formatText } from "@skein/engine";
import { z } from "zod";
import { parseMcpServers } from "../mcp/parse-mcp-servers.ts";
import { agentsConfigSchema } from "./agent-settings.ts";
import { teamSettingsSchema } from "./team-settings.ts";

const portSchema = z.coerce.number().int().min(0).max(65_535);

const providerSchema = z.strictObject({ apiKey: z.string().min(1).optional(), baseUrl: z.url({ protocol: /^https?$/ }).optional() });

const endpointSchema = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  apiKey: z.string().min(1).optional(),
  dialect: z.enum(["compatible", "mistral"]).optional(),
  contextWindow: z.int().positive().optional(),
  images: z.boolean().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Models to offer. Default: the list that the server returns. */
  models: z.array(z.string().min(1)).optional(),
});

const fileSchema = z.strictObject({
  host: z.string().optional(),
  port: portSchema.optional(),
  behindProxy: z.boolean().optional(),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  tls: z.strictObject({ certFile: z.string(), keyFile: z.string() }).optional(),
  /** Postgres database to use instead of SQLite in the data dir. Also `SKEIN_DATABASE_URL`. */
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "use postgres://user:password@host:5432/database")
    .optional(),
  /** Team mode: users with roles. Also `--team` and `SKEIN_TEAM=1`. */
  team: teamSettingsSchema.optional(),
  /** This server among others that share its Postgres database. */
  node: z
    .strictObject({
      /** Shown in lists. Default: the name of the machine. Also `SKEIN_NODE_NAME`. */
      name: z.string().min(1).max(100).optional(),
      /** Where the other servers reach this one. Default: the address it listens on. Also `SKEIN_INTERNAL_URL`. */
      internalUrl: z.url({ protocol: /^https?$/ }).optional(),
      /** How long it may be silent before the others consider it lost. Also `SKEIN_NODE_LEASE_SECONDS`. */
      leaseSeconds: z.number().min(1).max(600).optional(),
      /** How long a lost server may be away before its executions are interrupted. Also `SKEIN_NODE_GIVE_UP_MINUTES`. */
      giveUpMinutes: z.number().min(0).optional(),
    })
    .optional(),
  /** API keys and base URLs of model providers; the usual environment variables override them. */
  providers: z
    .strictObject({
      anthropic: providerSchema.optional(),
      openai: providerSchema.optional(),
      gemini: providerSchema.optional(),
      /** Servers with a Chat Completions API, used as `openai-chat/<name>/<model>`. */
      endpoints: z.record(z.stringFormat("endpoint-name", /^[A-Za-z0-9._-]+$/), endpointSchema).optional(),
    })
    .optional(),
  /** MCP servers for the native agent, in every project. Servers configured here are trusted. */
  mcpServers: z
    .unknown()
    .transform((value, context) => {
      const { servers, problems } = parseMcpServers(value);
      for (const problem of problems) context.issues.push({ code: "custom", params: { problem }, input: value });
      return servers;
    })
    .optional(),
  /** Limits and options of the native agent. */
  native: z
    .strictObject({
      /** An execution is interrupted when it exceeds this cost. */
      maxCostUsd: z.number().positive().optional(),
      /** Lets `web_fetch` access this machine and its network. */
      allowPrivateAddresses: z.boolean().optional(),
      /** Same as `compression.model`, which takes precedence. */
      summaryModel: modelIdSchema.optional(),
      /** Default: the model's own default. */
      reasoningEffort: reasoningEffortSchema.optional(),
    })
    .optional(),
  /** The programs of other agents, by agent id. */
  agents: agentsConfigSchema.optional(),
  /** Defaults of a new attempt. */
  defaults: z
    .strictObject({
      agent: agentIdSchema.optional(),
      model: modelIdSchema.optional(),
      permissionMode: workingModeSchema.optional(),
    })
    .optional(),
  /** Forges by host: of which kind they are, where their API is, and a token. */
  forges: z
    .record(
      forgeHostSchema,
      z.strictObject({
        kind: forgeKindSchema,
        /** Default: `/api/v3`, `/api/v4` or `/api/v1` of the host. */
        apiUrl: z.url({ protocol: /^https?$/ }).optional(),
        token: z.string().min(1).optional(),
      }),
    )
    .optional(),
  /** Seconds between two requests for a pull request that is being watched. */
  pullRequestPollSeconds: z.number().min(1).max(3600).optional(),
  /** Traces and metrics; both are off by default. The variables `OTEL_*` and `SKEIN_METRICS` take precedence. */
  telemetry: z
    .strictObject({
      /** Serves `/metrics` for Prometheus. */
      metrics: z.boolean().optional(),
      /** Sends a trace of each execution to an OpenTelemetry collector. */
      otlp: z
        .strictObject({
          /** `http://localhost:4318`; `/v1/traces` is added. */
          endpoint: z.url({ protocol: /^https?$/ }),
          headers: z.record(z.string(), z.string()).optional(),
          protocol: z.enum(["http/protobuf", "http/json"]).optional(),
        })
        .optional(),
    })
    .optional(),
  /** For development of Skein itself. */
  developer: z
    .strictObject({
      /** Enables `scripted/<path>.json` as a model: it plays back a file, including tools. Also `SKEIN_SCRIPTED_MODELS=1`. */
      scriptedModels: z.boolean().optional(),
    })
    .optional(),
  /** When and how conversations are summarized; missing values use the defaults. */
  compression: compressionSettingsSchema.partial().strict().optional(),
  /** The user's system prompt for every request. */
  systemPrompt: generalSettingsSchema.shape.systemPrompt.optional(),
  mergeMode: generalSettingsSchema.shape.mergeMode.optional(),
  toolTimeoutMinutes: generalSettingsSchema.shape.toolTimeoutMinutes.optional(),
  maxSteps: generalSettingsSchema.shape.maxSteps.optional(),
  pullRequestRounds: generalSettingsSchema.shape.pullRequestRounds.optional(),
  importAs: generalSettingsSchema.shape.importAs.optional(),
  importWatch: generalSettingsSchema.shape.importWatch.optional(),
  /** How many executions may run at the same time: in all, by agent, by project. */
  limits: runningLimitsSchema.partial().strict().optional(),
  /** How much agents may use before the user is asked. */
  budgets: budgetSettingsSchema.partial().strict().optional(),
  /** What happens when a provider accepts no more requests. */
  parking: parkingSettingsSchema.partial().strict().optional(),
  retention: retentionSettingsSchema.partial().strict().optional(),
  /** Whether attempts have terminals and dev servers. Default: only for one user, at a loopback address. */
  terminals: z.boolean().optional(),
  /** What `skein open --editor` starts: an editor's name, or a command with `{path}`, `{directory}` and `{line}`. Never set by a request. */
  editor: z.union([z.enum(editors), z.array(z.string().min(1)).min(1)]).optional(),
  /** Memory and processes of one execution. */
  resources: resourceSettingsSchema.partial().strict().optional(),
  /** Whether the operating system confines agents, and where they may connect to then. */
  sandbox: sandboxSettingsSchema.partial().strict().optional(),
  /** What agents that may use Skein can start; missing values use the defaults. */
  agentLimits: agentLimitsSchema.partial().strict().optional(),
});

/** Command line flags; all other settings are in the file only. */
export interface ConfigFlags {
  home?: string | undefined;
  host?: string | undefined;
  port?: string | number | undefined;
  behindProxy?: boolean | undefined;
  publicUrl?: string | undefined;
  tls?: { certFile: string; keyFile: string } | undefined;
  team?: boolean | undefined;
}

export type Config = z.output<typeof fileSchema> & { home: string; host: string; port: number; behindProxy: boolean };

/** An invalid setting; `message` names its location and the problem. `text` is the same as data, for problems of config.json. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly text: ConfigProblem | undefined;

  constructor(problem: string | ConfigProblem, options?: ErrorOptions) {
    super(formatText(problem), options);
    this.text = typeof problem === "string" ? undefined : problem;
  }
}

/** Precedence: flags, `SKEIN_*` environment variables, `<data dir>/config.json`, defaults. */
export function loadConfig(flags: ConfigFlags = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const home = resolve(flags.home || environment.SKEIN_HOME || join(homedir(), ".skein"));
  const file = readConfigFile(join(home, "config.json"));
  return {
    ...file,
    home,
    host: flags.host || environment.SKEIN_HOST || file.host || "127.0.0.1",
    port: parsePort(flags.port, "--port") ?? parsePort(environment.SKEIN_PORT, "SKEIN_PORT") ?? file.port ?? 4180,
    behindProxy: flags.behindProxy ?? file.behindProxy ?? false,
    publicUrl: flags.publicUrl ?? file.publicUrl,
    tls: flags.tls ?? file.tls,
    ...readTeam(file, flags, environment),
    ...readDatabaseUrl(file, environment),
    ...readNode(file, environment),
    ...readDeveloper(file, environment),
  };
}

/** A flag or the variable enables it with the settings of the file, or without any. */
function readTeam({ team }: z.output<typeof fileSchema>, flags: ConfigFlags, environment: NodeJS.ProcessEnv): Pick<Config, "team"> {
  const isOn = flags.team ?? (environment.SKEIN_TEAM === "1" || team !== undefined);
  return { team: isOn ? (team ?? { oidc: [] }) : undefined };
}

/** The value is not shown: it may contain a password. */
function readDatabaseUrl({ databaseUrl }: z.output<typeof fileSchema>, environment: NodeJS.ProcessEnv): Pick<Config, "databaseUrl"> {
  const url = environment.SKEIN_DATABASE_URL || databaseUrl;
  if (url === undefined) return {};
  if (fileSchema.shape.databaseUrl.safeParse(url).success) return { databaseUrl: url };
  throw new ConfigError("SKEIN_DATABASE_URL is not the address of a Postgres database. Use postgres://user:password@host:5432/database.");
}

/** Environment variables override the file. */
function readNode({ node }: z.output<typeof fileSchema>, environment: NodeJS.ProcessEnv): Pick<Config, "node"> {
  const given = {
    name: environment.SKEIN_NODE_NAME || undefined,
    internalUrl: environment.SKEIN_INTERNAL_URL || undefined,
    leaseSeconds: toNumber(environment.SKEIN_NODE_LEASE_SECONDS),
    giveUpMinutes: toNumber(environment.SKEIN_NODE_GIVE_UP_MINUTES),
  };
  const parsed = fileSchema.shape.node.safeParse({
    ...node,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  });
  if (parsed.success) return parsed.data === undefined ? {} : { node: parsed.data };
  const [issue] = parsed.error.issues;
  throw new ConfigError(
    `The setting node.${issue?.path.join(".")} is not valid: ${issue?.message}. Check config.json and the variables SKEIN_NODE_*, SKEIN_INTERNAL_URL.`,
  );
}

const toNumber = (text: string | undefined): number | undefined => (text ? Number(text) : undefined);

/** The environment variable overrides the file. */
function readDeveloper(file: z.output<typeof fileSchema>, { SKEIN_SCRIPTED_MODELS: value }: NodeJS.ProcessEnv): Pick<Config, "developer"> {
  if (value === undefined || value === "") return {};
  if (value !== "0" && value !== "1") throw new ConfigError(`SKEIN_SCRIPTED_MODELS is “${value}”. Use 1 or 0.`);
  return { developer: { ...file.developer, scriptedModels: value === "1" } };
}

function parsePort(value: string | number | undefined, name: string): number | undefined {
  if (value === undefined || value === "") return undefined;
  const port = portSchema.safeParse(value);
  if (!port.success) throw new ConfigError(`${name} is “${value}”, which is not a port. Use a number from 0 to 65535.`);
  return port.data;
}

/** Reads a config.json; empty if it does not exist. Throws `ConfigError`. */
export function readConfigFile(path: string): z.output<typeof fileSchema> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError({ code: "config-unreadable", path, reason: (error as Error).message }, { cause: error });
  }
  const config = checkConfigFile(path, parseJson(path, text));
  // it may contain API keys: readable by its owner only
  chmodSync(path, 0o600);
  return config;
}

/** Throws `ConfigError` that describes the first problem. */
export function checkConfigFile(path: string, content: unknown): z.output<typeof fileSchema> {
  const parsed = fileSchema.safeParse(content, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError({
    code: "config-field-invalid",
    path,
    field: issue?.path.join(".") ?? "",
    issue: issue === undefined ? { code: "value-invalid" } : (findMcpProblem(issue) ?? toIssueText(issue)),
  });
}

/** The problem that `parseMcpServers` found, which the schema passes on. */
function findMcpProblem(issue: z.core.$ZodIssue): McpProblem | undefined {
  return issue.code === "custom" ? (issue.params?.problem as McpProblem | undefined) : undefined;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError({ code: "config-not-json", path, reason: (error as Error).message }, { cause: error });
  }
}
