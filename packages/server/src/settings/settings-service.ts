import { join } from "node:path";
import {
  type AgentLimits,
  type AttemptDefaults,
  type GeneralSettings,
  generalSettingsSchema,
  type ProviderKey,
  type ProviderName,
  type RetentionSettings,
  type SandboxSupport,
  type UpdateGeneralSettings,
} from "@skein/contracts";
import { defaultCompressionSettings } from "@skein/engine";
import { saveConfig, toObject } from "../config/change-config-file.ts";
import type { Config } from "../config/load-config.ts";
import { type ModelAccess, providerVariables, readModelAccess } from "../models/model-access.ts";
import type { ForgeConnections } from "../pull-requests/forge-connections.ts";
import type { SettingsService } from "../services/server-services.ts";
import type { SharedSettings } from "./shared-settings.ts";

/** Large tasks take 50 to 150 model calls. A loop without progress should stop before it costs more than a few of those. */
const defaultMaxSteps = 200;

/** Enough to hand parts of a task to others; an agent that loops stops before it costs much. */
const defaultAgentLimits: AgentLimits = { depth: 1, starts: 10, costUsd: 10 };

/** Logs are needed only to read an attempt again into a database that was lost. What users may want to open stays until they say so. */
const defaultRetention: RetentionSettings = { worktreeDays: 0, sandboxHomeDays: 0, executionLogDays: 90 };

/** More than parallel builds and browsers need, and few enough for any machine. */
const defaultProcesses = 4096;

const labels: Record<ProviderName, string> = { anthropic: "Anthropic", openai: "OpenAI", gemini: "Google Gemini" };
const names = Object.keys(labels) as ProviderName[];

export interface SettingsOptions {
  home: string;
  config: Pick<Config, "providers" | "defaults" | "native" | keyof GeneralSettings>;
  environment: NodeJS.ProcessEnv;
  /** Modified in place; read at each start of an agent and for each list of models. */
  access: ModelAccess;
  forges: ForgeConnections;
  checkSandbox(): Promise<SandboxSupport>;
  /** Only if several servers can share the database. Default: the settings are in `config.json`. */
  shared?: SharedSettings | undefined;
}

/** Settings that users can change while the server runs. API keys are write-only (X11). */
export function createSettingsService(options: SettingsOptions): SettingsService {
  const { home, config, environment, access, forges, checkSandbox, shared } = options;
  const path = join(home, "config.json");
  let { providers = {}, defaults = {} } = config;
  let general = readGeneral(config);

  /** What the database has, in place of the file. */
  function readShared(from: SharedSettings): void {
    general = readGeneral({ ...from.general(), native: config.native } as SettingsOptions["config"]);
    defaults = from.defaults();
    const keys = from.keys();
    if (keys === undefined) return;
    for (const name of names) {
      const { apiKey: _before, ...others } = providers[name] ?? {};
      providers = { ...providers, [name]: keys[name] === undefined ? others : { ...others, apiKey: keys[name] } };
    }
    access.environment = readModelAccess({ providers }, environment).environment;
  }
  if (shared !== undefined) {
    readShared(shared);
    shared.onChanged(() => readShared(shared));
  }

  const toKey = (name: ProviderName): ProviderKey => {
    const variable = providerVariables[name].apiKey;
    const isSet = providers[name]?.apiKey !== undefined;
    const isInEnvironment = Boolean(environment[variable]?.trim());
    return { name, label: labels[name], source: isInEnvironment ? "environment" : isSet ? "settings" : "none", isSet, variable };
  };
  const readDefaults = (): AttemptDefaults => ({
    agent: defaults.agent ?? null,
    model: defaults.model ?? null,
    permissionMode: defaults.permissionMode ?? null,
  });
  const setKey = async (name: ProviderName, apiKey: string | undefined): Promise<ProviderKey> => {
    if (shared?.keys() !== undefined) {
      await shared.setKey(name, apiKey);
      readShared(shared);
      return toKey(name);
    }
    saveConfig(path, (file) => {
      const all = toObject(file.providers);
      return { ...file, providers: { ...all, [name]: withField(toObject(all[name]), "apiKey", apiKey) } };
    });
    const { apiKey: _before, ...others } = providers[name] ?? {};
    providers = { ...providers, [name]: apiKey === undefined ? others : { ...others, apiKey } };
    access.environment = readModelAccess({ providers }, environment).environment;
    return toKey(name);
  };

  return {
    get: async () => ({
      providers: names.map(toKey),
      defaults: readDefaults(),
      general,
      forges: await forges.listHosts(),
      sandboxSupport: await checkSandbox(),
    }),
    setProviderKey: setKey,
    async removeProviderKey(name) {
      await setKey(name, undefined);
    },
    async setDefaults(changes) {
      const wanted = Object.entries({ ...readDefaults(), ...changes }).filter(([, value]) => value !== null && value !== undefined);
      const next = Object.fromEntries(wanted) as NonNullable<Config["defaults"]>;
      if (shared === undefined) saveConfig(path, (file) => ({ ...file, defaults: next }));
      else await shared.setDefaults(next);
      defaults = next;
      return readDefaults();
    },
    defaults: readDefaults,
    async setGeneral(changes) {
      const next = generalSettingsSchema.parse(withChanges(general, changes));
      // store only changed values: the rest keeps following the defaults
      if (shared === undefined) {
        saveConfig(path, (file) => withChanges(file, changes));
        general = next;
      } else {
        await shared.changeGeneral((before) => withChanges(before, changes));
        readShared(shared);
      }
      return general;
    },
    general: () => general,
    setForgeToken: forges.setToken,
    removeForgeToken: forges.removeToken,
  };
}

function readGeneral({
  mergeMode = "live",
  toolTimeoutMinutes = 120,
  maxSteps = defaultMaxSteps,
  pullRequestRounds = 0,
  importAs = "done",
  importWatch = false,
  systemPrompt = "",
  agentLimits,
  compression,
  limits,
  budgets,
  parking,
  native,
  resources,
  sandbox,
  retention,
}: SettingsOptions["config"]): GeneralSettings {
  const model = native?.summaryModel ?? null;
  return generalSettingsSchema.parse({
    mergeMode,
    toolTimeoutMinutes,
    maxSteps,
    pullRequestRounds,
    importAs,
    importWatch,
    systemPrompt,
    agentLimits: { ...defaultAgentLimits, ...agentLimits },
    compression: { ...defaultCompressionSettings, model, ...compression },
    limits: { running: null, perAgent: {}, perProject: {}, ...limits },
    budgets: { perProject: {}, ...budgets },
    parking: { resume: false, onOverload: false, perProject: {}, ...parking },
    resources: { memoryMb: null, processes: defaultProcesses, perProject: {}, ...resources },
    sandbox: { default: "off", hosts: [], perProject: {}, ...sandbox },
    retention: { ...defaultRetention, ...retention },
  });
}

const nested = ["compression", "limits", "budgets", "parking", "agentLimits", "resources", "sandbox", "retention"] as const;

/** Merges one level of nested objects. */
function withChanges(before: object, changes: UpdateGeneralSettings): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...before, ...changes };
  for (const field of nested) if (changes[field] !== undefined) merged[field] = { ...toObject(toObject(before)[field]), ...changes[field] };
  return merged;
}

function withField(object: Record<string, unknown>, field: string, value: string | undefined): Record<string, unknown> {
  const { [field]: _before, ...others } = object;
  return value === undefined ? others : { ...others, [field]: value };
}
