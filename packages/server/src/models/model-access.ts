import type { Config } from "../config/load-config.ts";

type Providers = NonNullable<Config["providers"]>;
export type Endpoint = NonNullable<Providers["endpoints"]>[string];

export interface ModelAccess {
  /** API keys and base URLs by their usual variable names. */
  environment: Record<string, string>;
  endpoints: Record<string, Endpoint>;
  /** Whether `scripted/<path>` may play back a file. */
  scripts?: boolean;
}

/** Environment variables of each provider. */
export const providerVariables = {
  anthropic: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
  openai: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
  gemini: { apiKey: "GEMINI_API_KEY", baseUrl: "GOOGLE_GEMINI_BASE_URL" },
} as const;

/** Reads the configuration; environment variables override the file. */
export function readModelAccess(
  { providers, developer }: Pick<Config, "providers" | "developer">,
  environment: NodeJS.ProcessEnv,
): ModelAccess {
  const found: Record<string, string> = {};
  for (const [provider, names] of Object.entries(providerVariables)) {
    for (const [field, variable] of Object.entries(names)) {
      const settings = providers?.[provider as keyof typeof providerVariables];
      const value = environment[variable]?.trim() || settings?.[field as "apiKey" | "baseUrl"];
      if (value) found[variable] = value;
    }
  }
  const endpoints = providers?.endpoints ?? {};
  return { environment: found, endpoints, ...(developer?.scriptedModels === true ? { scripts: true } : {}) };
}

/** Only the keys of this model's provider: an agent never gets the others (X11). */
export function accessFor(modelId: string, access: ModelAccess): ModelAccess {
  const [provider = "", endpointName = ""] = modelId.split("/");
  if (provider === "scripted") return { environment: {}, endpoints: {}, ...(access.scripts === true ? { scripts: true } : {}) };
  const endpoint = provider === "openai-chat" && Object.hasOwn(access.endpoints, endpointName) ? access.endpoints[endpointName] : undefined;
  if (endpoint !== undefined) return { environment: {}, endpoints: { [endpointName]: endpoint } };
  const names =
    provider === "openai-chat"
      ? providerVariables.openai
      : Object.hasOwn(providerVariables, provider)
        ? providerVariables[provider as keyof typeof providerVariables]
        : undefined;
  const own = Object.values(names ?? {}).flatMap((name) =>
    access.environment[name] === undefined ? [] : [[name, access.environment[name]] as const],
  );
  return { environment: Object.fromEntries(own), endpoints: {} };
}

/** With keys of a project or a user in place of the server's, by variable. */
export function withKeys(access: ModelAccess, keys: Readonly<Record<string, string>> | undefined): ModelAccess {
  if (keys === undefined) return access;
  const known: readonly string[] = Object.values(providerVariables).map(({ apiKey }) => apiKey);
  const own = Object.entries(keys).filter(([name]) => known.includes(name));
  return own.length === 0 ? access : { ...access, environment: { ...access.environment, ...Object.fromEntries(own) } };
}

/** All API keys, for redaction in logs. */
export function listModelKeys(access: ModelAccess): string[] {
  const keys = Object.values(providerVariables).map(({ apiKey }) => access.environment[apiKey]);
  const ofEndpoints = Object.values(access.endpoints).flatMap(({ apiKey, headers }) => [apiKey, ...Object.values(headers ?? {})]);
  return [...keys, ...ofEndpoints].filter((key) => key !== undefined);
}
