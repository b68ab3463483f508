import type { JsonValue, RequestProvider } from "@skein/contracts";
import type { ModelRequest } from "@skein/engine";
import { type CreateModelOptions, createModel, type ModelEnvironment } from "../create-model.ts";
import type { ModelEndpoint } from "../model-endpoint.ts";
import { toPreviewModel } from "./to-preview-model.ts";

export interface CapturedRequest {
  provider: RequestProvider;
  /** The provider of `modelId` itself. */
  defaultProvider: RequestProvider;
  /** The `<provider>/<model>` that the request is built for. */
  model: string;
  contextWindow: number;
  /** The body of the HTTP request, parsed. */
  body: JsonValue;
}

/** Used instead of every key: nothing is sent, so none is needed and none can leak. */
const noKey = "no-key";
const keyNames = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"];

/**
 * Builds a request exactly as a model does, with its SDK, and returns the body instead of sending it. Ignores the keys and headers of
 * `options`.
 * @throws ModelError if the model does not exist, or the request cannot be converted to its provider's format.
 */
export async function captureRequest(
  modelId: string,
  request: ModelRequest,
  options: { provider?: RequestProvider | undefined } & Pick<CreateModelOptions, "environment" | "endpoints" | "cwd" | "scripts"> = {},
): Promise<CapturedRequest> {
  const { provider, defaultProvider, model: id } = toPreviewModel(modelId, options.provider);
  let sent: string | undefined;
  const model = await createModel(id, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.scripts === undefined ? {} : { scripts: options.scripts }),
    environment: withoutKeys(options.environment ?? {}),
    endpoints: withoutSecrets(options.endpoints ?? {}),
    fetch: async (_url, init) => {
      sent = typeof init?.body === "string" ? init.body : undefined;
      throw new Error("captured");
    },
  });
  const about = { provider, defaultProvider, model: id, contextWindow: model.contextWindow };
  // the built-in models use our own format
  if (provider === "scripted") return { ...about, body: JSON.parse(JSON.stringify(request)) as JsonValue };
  try {
    for await (const _event of model.stream(request, { signal: new AbortController().signal }));
  } catch (error) {
    if (sent === undefined) throw error;
  }
  if (sent === undefined) throw new Error(`${id} sent nothing.`);
  return { ...about, body: JSON.parse(sent) as JsonValue };
}

function withoutKeys(environment: ModelEnvironment): ModelEnvironment {
  return { ...environment, ...Object.fromEntries(keyNames.map((name) => [name, noKey])) };
}

function withoutSecrets(endpoints: Readonly<Record<string, ModelEndpoint>>): Record<string, ModelEndpoint> {
  return Object.fromEntries(Object.entries(endpoints).map(([name, { apiKey: _key, headers: _headers, ...endpoint }]) => [name, endpoint]));
}
