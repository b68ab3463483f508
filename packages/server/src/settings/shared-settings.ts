import {
  attemptDefaultsSchema,
  type GeneralSettings,
  generalSettingsSchema,
  type ProviderName,
  updateGeneralSettingsSchema,
} from "@skein/contracts";
import type { StorageNodes } from "@skein/engine";
import { z } from "zod";
import type { Config } from "../config/load-config.ts";
import type { Logger } from "../logger.ts";
import type { Seal } from "../team/seal.ts";

const providerNames = ["anthropic", "openai", "gemini"] as const satisfies readonly ProviderName[];
const defaultsSchema = attemptDefaultsSchema.partial();
const generalFields = Object.keys(generalSettingsSchema.shape);

/** A removed key stays as an empty value: a `config.json` that still has it must not bring it back. */
const noKey = "";

type Keys = Partial<Record<ProviderName, string>>;

/**
 * Settings of several servers that share a database, in the database: limits, budgets, the defaults of new attempts, and, if the servers
 * share a secret, the keys of providers. What depends on a machine (agents, MCP servers, addresses, endpoints) is in each server's `config.json`.
 */
export interface SharedSettings {
  general(): Record<string, unknown>;
  defaults(): NonNullable<Config["defaults"]>;
  /** Undefined: the servers share no secret, so each has its own. */
  keys(): Keys | undefined;
  changeGeneral(change: (before: Record<string, unknown>) => Record<string, unknown>): Promise<void>;
  setDefaults(defaults: NonNullable<Config["defaults"]>): Promise<void>;
  setKey(name: ProviderName, apiKey: string | undefined): Promise<void>;
  /** Called when another server has changed something. */
  onChanged(listener: () => void): void;
}

/** Brings the settings of `config.json` into the database if it has none yet: those of the first server that starts hold for all. */
export async function openSharedSettings(input: {
  nodes: StorageNodes;
  config: Pick<Config, "providers" | "defaults" | keyof GeneralSettings>;
  /** Undefined if the servers share no secret. */
  seal: Seal | undefined;
  /** Calls back when another server may have changed something, and at intervals. */
  onRenewed(listener: () => void): void;
  logger: Logger;
}): Promise<SharedSettings> {
  const { nodes, config, seal, logger } = input;
  const listeners = new Set<() => void>();
  let stored = new Map<string, string>();
  let keys: Keys = {};

  function read<T>(name: string, schema: z.ZodType<T>, none: T): T {
    const value = stored.get(name);
    if (value === undefined) return none;
    try {
      return schema.parse(JSON.parse(value));
    } catch (error) {
      logger.error("settings in the database are not valid: the defaults are used", { name, error });
      return none;
    }
  }

  function openKeys(): Keys {
    const found: Keys = {};
    for (const name of providerNames) {
      const sealed = stored.get(toKeyName(name)) ?? noKey;
      if (sealed === noKey) continue;
      const opened = seal?.open(sealed, toKeyName(name));
      if (opened === undefined) logger.error("a key in the database cannot be read: SKEIN_CLUSTER_SECRET is another one", { name });
      else found[name] = opened;
    }
    return found;
  }

  async function load(): Promise<boolean> {
    const next = new Map((await nodes.listSettings()).map(({ name, value }) => [name, value]));
    const isSame = next.size === stored.size && [...next].every(([name, value]) => stored.get(name) === value);
    if (isSame) return false;
    stored = next;
    if (seal !== undefined) keys = openKeys();
    return true;
  }

  async function change(name: string, to: (before: string | null) => string): Promise<void> {
    await nodes.changeSetting({ name, change: to });
    await load();
  }

  const ofFile = Object.fromEntries(
    Object.entries(config).filter(([field, value]) => generalFields.includes(field) && value !== undefined),
  );
  await load();
  const values: [string, string][] = [
    ["general", JSON.stringify(ofFile)],
    ["defaults", JSON.stringify(config.defaults ?? {})],
    ...providerNames.flatMap((name): [string, string][] => {
      const apiKey = config.providers?.[name]?.apiKey;
      return seal === undefined || apiKey === undefined ? [] : [[toKeyName(name), seal.close(apiKey, toKeyName(name))]];
    }),
  ];
  for (const [name, value] of values) if (!stored.has(name)) await change(name, (before) => before ?? value);
  const isOther =
    JSON.stringify(read("general", updateGeneralSettingsSchema, {})) !== JSON.stringify(updateGeneralSettingsSchema.parse(ofFile));
  if (isOther && Object.keys(ofFile).length > 0)
    logger.warn("settings of config.json are not used: those in the database hold for all servers");

  input.onRenewed(() => {
    load()
      .then((isChanged) => {
        if (isChanged) for (const listener of listeners) listener();
      })
      // they are read again with the next renewal
      .catch((error: unknown) => logger.warn("settings in the database could not be read", { error }));
  });

  return {
    general: () => read("general", updateGeneralSettingsSchema, {}),
    defaults: () => read("defaults", defaultsSchema, {}) as NonNullable<Config["defaults"]>,
    keys: () => (seal === undefined ? undefined : keys),
    changeGeneral: (to) => change("general", (before) => JSON.stringify(to(toRecord(before)))),
    setDefaults: (defaults) => change("defaults", () => JSON.stringify(defaults)),
    async setKey(name, apiKey) {
      if (seal === undefined) throw new Error("The servers share no secret.");
      await change(toKeyName(name), () => (apiKey === undefined ? noKey : seal.close(apiKey, toKeyName(name))));
    },
    onChanged: (listener) => void listeners.add(listener),
  };
}

const toKeyName = (name: ProviderName): string => `key ${name}`;

function toRecord(value: string | null): Record<string, unknown> {
  return value === null ? {} : z.record(z.string(), z.unknown()).catch({}).parse(JSON.parse(value));
}
