import type { RequestProvider } from "@skein/contracts";
import { knownModels } from "../models/known-models.ts";

/** Prefixes of model ids. */
const prefixes: Record<RequestProvider, string> = {
  anthropic: "anthropic/",
  "openai-responses": "openai/",
  "openai-chat": "openai-chat/",
  gemini: "gemini/",
  scripted: "scripted/",
};

/** The provider whose format a model uses; undefined for an id that names no provider. */
function findRequestProvider(modelId: string): RequestProvider | undefined {
  const providers = Object.keys(prefixes) as RequestProvider[];
  return providers.find((provider) => modelId.startsWith(prefixes[provider]));
}

/** The model itself if it is the provider's, otherwise the provider's default model. */
export function toPreviewModel(
  modelId: string,
  wanted: RequestProvider | undefined,
): { provider: RequestProvider; model: string; defaultProvider: RequestProvider } {
  const defaultProvider = findRequestProvider(modelId) ?? "scripted";
  const provider = wanted ?? defaultProvider;
  if (provider === defaultProvider) return { provider, model: modelId, defaultProvider };
  return { provider, model: defaultModel(provider), defaultProvider };
}

function defaultModel(provider: RequestProvider): string {
  if (provider === "scripted") return "scripted/demo";
  const family = provider === "openai-chat" ? prefixes["openai-responses"] : prefixes[provider];
  const known = knownModels.find(({ id }) => id.startsWith(family))?.id ?? family;
  return prefixes[provider] + known.slice(family.length);
}
