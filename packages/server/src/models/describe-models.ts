import type { AgentHint, AgentInfo, ModelInfo } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { listModels } from "@skein/providers/list-models";
import type { Endpoint, ModelAccess } from "./model-access.ts";

const askWithinMs = 1500;
const rememberMs = 30_000;
const ollama: Endpoint = { baseUrl: "http://127.0.0.1:11434/v1" };

/** Lists the models that are available now: those with an API key, those of endpoints, a local Ollama, and the demo. */
export function createModelDirectory(access: ModelAccess): () => Promise<ModelInfo[]> {
  let known: { until: number; keys: ModelAccess["environment"]; models: Promise<ModelInfo[]> } | undefined;
  return () => {
    // a changed key takes effect at once
    if (known === undefined || known.until < Date.now() || known.keys !== access.environment)
      known = { until: Date.now() + rememberMs, keys: access.environment, models: describeModels(access) };
    return known.models;
  };
}

const providers = [
  { name: "Anthropic", key: "ANTHROPIC_API_KEY" },
  { name: "OpenAI", key: "OPENAI_API_KEY" },
  { name: "Gemini", key: "GEMINI_API_KEY" },
];

/** Providers without an API key, each with a hint. */
export function describeMissingProviders({ environment }: ModelAccess): NonNullable<AgentInfo["missing"]> {
  return providers
    .filter(({ key }) => environment[key] === undefined)
    .map(({ name, key }) => ({ name, ...toHint({ code: "provider-key-missing", variable: key }) }));
}

async function describeModels(access: ModelAccess): Promise<ModelInfo[]> {
  const endpoints = { ollama, ...access.endpoints };
  const offered = await Promise.all(Object.entries(endpoints).map(([name, endpoint]) => listOffered(name, endpoint)));
  const built = listModels({ environment: access.environment });
  const demo = built.filter((model) => model.id.startsWith("scripted/"));
  return [...built.filter((model) => !demo.includes(model)), ...offered.flat(), ...demo];
}

/** An endpoint that does not respond in time lists nothing; its models can still be used by name. */
async function listOffered(name: string, endpoint: Endpoint): Promise<ModelInfo[]> {
  const models = endpoint.models ?? (await askForModels(endpoint));
  const limits = endpoint.contextWindow === undefined ? {} : { contextWindow: endpoint.contextWindow };
  return models.map((model) => ({ id: `openai-chat/${name}/${model}`, name: `${model} (${name})`, ...limits }));
}

async function askForModels({ baseUrl, apiKey, headers }: Endpoint): Promise<string[]> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      headers: { ...headers, ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      signal: AbortSignal.timeout(askWithinMs),
    });
    const body = (await response.json()) as { data?: { id?: unknown }[] };
    return (body.data ?? []).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  } catch {
    return [];
  }
}

function toHint(hintText: AgentHint): { hint: string; hintText: AgentHint } {
  return { hint: formatText(hintText), hintText };
}
