import { type Model, ModelError } from "@skein/engine";
import { createAnthropicModel } from "./anthropic/create-anthropic-model.ts";
import { createGeminiModel } from "./gemini/create-gemini-model.ts";
import { listModels } from "./list-models.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";
import { createOpenAIChatModel } from "./openai-chat/create-chat-model.ts";
import { createOpenAIResponsesModel } from "./openai-responses/create-responses-model.ts";
import { createDemoModel } from "./scripted/demo-model.ts";
import { createScriptModel } from "./scripted/script-model.ts";

export type ModelEnvironment = Readonly<Record<string, string | undefined>>;

export interface CreateModelOptions {
  /** Multiplies the scripted models' delays; 0 disables them. */
  pace?: number;
  /**
   * Enables `scripted/<path>`, which plays back a file: choosing such a model then decides what the agent does, and reads a file. For
   * development and tests only; `scripted/demo` is always available.
   */
  scripts?: boolean | undefined;
  /** Where `scripted/<name>` looks for `<name>.json`. */
  scriptsDir?: string;
  /** Base folder of a relative `scripted/<path>.json`. */
  cwd?: string;
  /** API keys and base URLs. Default: the process's environment. */
  environment?: ModelEnvironment;
  /** Servers with a Chat Completions API, by the name in `openai-chat/<name>/<model>`. */
  endpoints?: Readonly<Record<string, ModelEndpoint>>;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * Creates a model. The provider's SDK is loaded with the first request.
 * @throws ModelError `unknown-model` for an unknown id, `auth` if the API key is missing, `bad-request` if a script cannot be read.
 */
export async function createModel(modelId: string, options: CreateModelOptions = {}): Promise<Model> {
  const slash = modelId.indexOf("/");
  const provider = slash === -1 ? modelId : modelId.slice(0, slash);
  const name = slash === -1 ? "" : modelId.slice(slash + 1);
  if (name === "") throw unknownModel(modelId, options);
  const environment = options.environment ?? process.env;
  const baseUrl = (variable: string) => readSetting(environment, variable);
  const key = (variable: string) => requireKey(environment, variable, modelId);
  const { fetch } = options;
  switch (provider) {
    case "scripted":
      return createScriptedModel(name, options);
    case "anthropic":
      return createAnthropicModel({ model: name, apiKey: key("ANTHROPIC_API_KEY"), baseUrl: baseUrl("ANTHROPIC_BASE_URL"), fetch });
    case "openai":
      return createOpenAIResponsesModel({ model: name, apiKey: key("OPENAI_API_KEY"), baseUrl: baseUrl("OPENAI_BASE_URL"), fetch });
    case "gemini":
      return createGeminiModel({ model: name, apiKey: key("GEMINI_API_KEY"), baseUrl: baseUrl("GOOGLE_GEMINI_BASE_URL"), fetch });
    case "openai-chat":
      return createChatModel(modelId, name, { environment, endpoints: options.endpoints ?? {}, fetch });
    default:
      throw unknownModel(modelId, options);
  }
}

function createScriptedModel(name: string, options: CreateModelOptions): Model | Promise<Model> {
  const pace = options.pace ?? 1;
  if (name === "demo") return createDemoModel({ pace });
  if (options.scripts !== true) {
    throw new ModelError(
      "unknown-model",
      `"scripted/${name}" is a script, and models from scripts are off. To develop with them set "developer": { "scriptedModels": true } in config.json, or SKEIN_SCRIPTED_MODELS=1.`,
    );
  }
  return createScriptModel({ name, pace, scriptsDir: options.scriptsDir, cwd: options.cwd ?? process.cwd() });
}

function createChatModel(
  modelId: string,
  name: string,
  {
    environment,
    endpoints,
    fetch,
  }: { environment: ModelEnvironment; endpoints: Readonly<Record<string, ModelEndpoint>>; fetch: CreateModelOptions["fetch"] },
): Model {
  const slash = name.indexOf("/");
  const endpointName = slash === -1 ? undefined : name.slice(0, slash);
  const endpoint = endpointName !== undefined && Object.hasOwn(endpoints, endpointName) ? endpoints[endpointName] : undefined;
  if (endpoint !== undefined && endpointName !== undefined) {
    const model = name.slice(slash + 1);
    if (model === "") throw new ModelError("unknown-model", `"${modelId}" names the endpoint "${endpointName}" but no model of it.`);
    const keyName = `the apiKey of the endpoint "${endpointName}"`;
    return createOpenAIChatModel({ ...endpoint, dialect: toDialect(endpoint), model, id: modelId, provider: endpointName, keyName, fetch });
  }
  const baseUrl = readSetting(environment, "OPENAI_BASE_URL");
  // Self-hosted servers usually need no key; OpenAI always does.
  const apiKey = baseUrl === undefined ? requireKey(environment, "OPENAI_API_KEY", modelId) : readSetting(environment, "OPENAI_API_KEY");
  const provider = baseUrl === undefined ? "OpenAI" : baseUrl;
  return createOpenAIChatModel({ model: name, id: modelId, apiKey, baseUrl, provider, fetch });
}

function toDialect({ dialect, baseUrl }: ModelEndpoint): ModelEndpoint["dialect"] {
  return dialect ?? (/^https:\/\/([\w-]+\.)*mistral\.ai\//.test(`${baseUrl}/`) ? "mistral" : "compatible");
}

function readSetting(environment: ModelEnvironment, variable: string): string | undefined {
  const value = environment[variable]?.trim();
  return value === "" ? undefined : value;
}

function requireKey(environment: ModelEnvironment, variable: string, modelId: string): string {
  const value = readSetting(environment, variable);
  if (value !== undefined) return value;
  throw new ModelError("auth", { code: "model-needs-key", model: modelId, variable });
}

function unknownModel(modelId: string, { environment, scripts = false }: CreateModelOptions): ModelError {
  const usable = listModels(environment === undefined ? {} : { environment }).map((model) => model.id);
  return new ModelError("unknown-model", { code: "model-not-known", model: modelId, usable, hasScripts: scripts });
}
