import { chmodSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import {
  agentIdSchema,
  compressionSettingsSchema,
  generalSettingsSchema,
  modelIdSchema,
  reasoningEffortSchema,
  workingModeSchema,
} from "@skein/contracts";
import { z } from "zod";
import { parseMcpServers } from "../mcp/parse-mcp-servers.ts";
import { agentsConfigSchema } from "./agent-settings.ts";

const portSchema = z.coerce.number().int().min(0).max(65_535);

const providerSchema = z.strictObject({ apiKey: z.string().min(1).optional(), baseUrl: z.url({ protocol: /^https?$/ }).optional() });

const endpointSchema = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  apiKey: z.string().min(1).optional(),
  dialect: z.enum(["compatible", "mistral"]).optional(),
  contextWindow: z.int().positive().optional(),
  images: z.boolean().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** What to offer; where it is left out, the server is asked. */
  models: z.array(z.string().min(1)).optional(),
});

const fileSchema = z.strictObject({
  host: z.string().optional(),
  port: portSchema.optional(),
  behindProxy: z.boolean().optional(),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  tls: z.strictObject({ certFile: z.string(), keyFile: z.string() }).optional(),
  /** Keys and addresses of model providers; the usual environment variables go over them. */
  providers: z
    .strictObject({
      anthropic: providerSchema.optional(),
      openai: providerSchema.optional(),
      gemini: providerSchema.optional(),
      /** Servers that speak Chat Completions, used as `openai-chat/<name>/<model>`. */
      endpoints: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/, "use letters, digits, . _ and -"), endpointSchema).optional(),
    })
    .optional(),
  /** Servers whose tools the native agent may use, in every project: written here, they are trusted. */
  mcpServers: z
    .unknown()
    .transform((value, context) => {
      const { servers, problems } = parseMcpServers(value);
      for (const problem of problems) context.issues.push({ code: "custom", message: problem.replace(/\.$/, ""), input: value });
      return servers;
    })
    .optional(),
  /** Limits and habits of the native agent. */
  native: z
    .strictObject({
      /** An execution is interrupted when it has cost this much. */
      maxCostUsd: z.number().positive().optional(),
      /** Lets its web_fetch reach this machine and its network. */
      allowPrivateAddresses: z.boolean().optional(),
      /** The same as `compression.model`, which goes over it. */
      summaryModel: modelIdSchema.optional(),
      /** How much its models think; left out, each as much as it does by default. */
      reasoningEffort: reasoningEffortSchema.optional(),
    })
    .optional(),
  /** The programs of other agents, by agent id. */
  agents: agentsConfigSchema.optional(),
  /** What a new attempt starts with. */
  defaults: z
    .strictObject({
      agent: agentIdSchema.optional(),
      model: modelIdSchema.optional(),
      permissionMode: workingModeSchema.optional(),
    })
    .optional(),
  /** For working on Skein itself. */
  developer: z
    .strictObject({
      /** Lets `scripted/<path>.json` be chosen as a model: it plays a file, with tools. Also `SKEIN_SCRIPTED_MODELS=1`. */
      scriptedModels: z.boolean().optional(),
    })
    .optional(),
  /** When and how conversations are summarized; what is left out is the default. */
  compression: compressionSettingsSchema.partial().strict().optional(),
  /** The user's own words in front of every request. */
  systemPrompt: generalSettingsSchema.shape.systemPrompt.optional(),
  mergeMode: generalSettingsSchema.shape.mergeMode.optional(),
  toolTimeoutMinutes: generalSettingsSchema.shape.toolTimeoutMinutes.optional(),
  maxSteps: generalSettingsSchema.shape.maxSteps.optional(),
});

/** What can be given on the command line; the rest is for the file alone. */
export interface ConfigFlags {
  home?: string | undefined;
  host?: string | undefined;
  port?: string | number | undefined;
  behindProxy?: boolean | undefined;
  publicUrl?: string | undefined;
  tls?: { certFile: string; keyFile: string } | undefined;
}

export type Config = z.output<typeof fileSchema> & { home: string; host: string; port: number; behindProxy: boolean };

/** A setting that cannot be used; `message` says where it stands and what is wrong. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Flags over `SKEIN_*` environment over `<data dir>/config.json` over the defaults. */
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
    ...readDeveloper(file, environment),
  };
}

/** The environment goes over the file. */
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

/** What a config.json says; nothing where there is none. Throws `ConfigError`. */
export function readConfigFile(path: string): z.output<typeof fileSchema> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const config = checkConfigFile(path, parseJson(path, text));
  // it may hold keys: nobody else reads it
  chmodSync(path, 0o600);
  return config;
}

/** Throws `ConfigError` that names what is wrong. */
export function checkConfigFile(path: string, content: unknown): z.output<typeof fileSchema> {
  const parsed = fileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError(
    `${path}: ${issue?.path.join(".") || "the file"}: ${issue?.message ?? "is not valid"}. Correct it, or remove the setting.`,
  );
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${path} is not valid JSON (${(error as Error).message}). Correct it, or remove the file.`, { cause: error });
  }
}
