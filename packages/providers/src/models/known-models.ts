/** US dollars per million tokens. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface KnownModel {
  /** `<provider>/<model>`, without a date. */
  id: string;
  name: string;
  contextWindow: number;
  outputLimit: number;
  price: ModelPrice;
  /** Price of the whole request above this number of input tokens. */
  longPrice?: ModelPrice & { above: number };
  /** How thinking is requested; undefined for models without it, and for models that always think. */
  thinking?: "adaptive" | "budget" | "effort";
}

const million = 1_000_000;

/** Anthropic bills cache writes at 1.25 times the input price. */
function anthropicPrice(input: number, output: number, cacheRead: number): ModelPrice {
  return { input, output, cacheRead, cacheWrite: input * 1.25 };
}

/** Before GPT-5.6, and at Gemini, cache writes cost the input price. */
function plainPrice(input: number, output: number, cacheRead: number): ModelPrice {
  return { input, output, cacheRead, cacheWrite: input };
}

function openaiLong(price: ModelPrice): ModelPrice & { above: number } {
  const { input, output, cacheRead, cacheWrite } = price;
  return { above: 272_000, input: input * 2, output: output * 1.5, cacheRead: cacheRead * 2, cacheWrite: cacheWrite * 2 };
}

function claude(id: string, name: string, price: ModelPrice, limits: Partial<KnownModel> = {}): KnownModel {
  return { id: `anthropic/${id}`, name, contextWindow: million, outputLimit: 128_000, thinking: "adaptive", price, ...limits };
}

const claude4: Partial<KnownModel> = { contextWindow: 200_000, outputLimit: 64_000, thinking: "budget" };

function gpt(id: string, name: string, price: ModelPrice, limits: Partial<KnownModel> = {}): KnownModel {
  return { id: `openai/${id}`, name, contextWindow: 400_000, outputLimit: 128_000, thinking: "effort", price, ...limits };
}

function longGpt(id: string, name: string, price: ModelPrice): KnownModel {
  return gpt(id, name, price, { contextWindow: 1_050_000, longPrice: openaiLong(price) });
}

const withWrites = (price: ModelPrice): ModelPrice => ({ ...price, cacheWrite: price.input * 1.25 });

function gemini(id: string, name: string, price: ModelPrice, limits: Partial<KnownModel> = {}): KnownModel {
  return { id: `gemini/${id}`, name, contextWindow: 1_048_576, outputLimit: 65_536, thinking: "effort", price, ...limits };
}

/**
 * List prices and limits as published by the providers in November 2026; the first model of each provider is its default. Unknown models
 * work, too: without a price, and with a context window of 128,000 tokens.
 */
export const knownModels: readonly KnownModel[] = [
  claude("claude-opus-5-5", "Claude Opus 5.5", anthropicPrice(4, 20, 0.2)),
  claude("claude-sonnet-5-5", "Claude Sonnet 5.5", anthropicPrice(2, 10, 0.1)),
  claude("claude-haiku-5-5", "Claude Haiku 5.5", anthropicPrice(0.1, 0.5, 0.01), {
    longPrice: { above: 100_000, ...anthropicPrice(0.5, 2.5, 0.05) },
  }),
  claude("claude-fable-5-1", "Claude Fable 5.1", anthropicPrice(10, 50, 0.25)),
  claude("claude-opus-5", "Claude Opus 5", anthropicPrice(5, 25, 0.5)),
  claude("claude-sonnet-5", "Claude Sonnet 5", anthropicPrice(2, 10, 0.2)),
  claude("claude-opus-4-8", "Claude Opus 4.8", anthropicPrice(5, 25, 0.5)),
  claude("claude-opus-4-7", "Claude Opus 4.7", anthropicPrice(5, 25, 0.5)),
  claude("claude-opus-4-6", "Claude Opus 4.6", anthropicPrice(5, 25, 0.5)),
  claude("claude-sonnet-4-6", "Claude Sonnet 4.6", anthropicPrice(3, 15, 0.3), { outputLimit: 64_000 }),
  claude("claude-opus-4-5", "Claude Opus 4.5", anthropicPrice(5, 25, 0.5), claude4),
  claude("claude-sonnet-4-5", "Claude Sonnet 4.5", anthropicPrice(3, 15, 0.3), claude4),
  claude("claude-haiku-4-5", "Claude Haiku 4.5", anthropicPrice(1, 5, 0.1), claude4),
  longGpt("gpt-6-sol", "GPT-6 Sol", withWrites(plainPrice(2, 10, 0.2))),
  longGpt("gpt-6-luna", "GPT-6 Luna", withWrites(plainPrice(0.1, 0.5, 0.01))),
  longGpt("gpt-5.6-sol", "GPT-5.6 Sol", withWrites(plainPrice(5, 30, 0.5))),
  longGpt("gpt-5.6-terra", "GPT-5.6 Terra", withWrites(plainPrice(2, 12, 0.2))),
  longGpt("gpt-5.6-luna", "GPT-5.6 Luna", withWrites(plainPrice(0.2, 1.2, 0.02))),
  longGpt("gpt-5.4", "GPT-5.4", plainPrice(2.5, 15, 0.25)),
  gpt("gpt-5.4-mini", "GPT-5.4 mini", plainPrice(0.75, 4.5, 0.075)),
  gpt("gpt-5.1", "GPT-5.1", plainPrice(1.25, 10, 0.125)),
  gpt("gpt-5", "GPT-5", plainPrice(1.25, 10, 0.125)),
  gemini("gemini-3.1-pro-preview", "Gemini 3.1 Pro", plainPrice(2, 12, 0.2), {
    longPrice: { above: 200_000, ...plainPrice(4, 18, 0.4) },
  }),
  gemini("gemini-3.8-flash", "Gemini 3.8 Flash", plainPrice(0.75, 3.75, 0.075)),
  gemini("gemini-3-flash-preview", "Gemini 3 Flash", plainPrice(0.5, 3, 0.05)),
  gemini("gemini-2.5-pro", "Gemini 2.5 Pro", plainPrice(1.25, 10, 0.125), {
    longPrice: { above: 200_000, ...plainPrice(2.5, 15, 0.25) },
  }),
  gemini("gemini-2.5-flash", "Gemini 2.5 Flash", plainPrice(0.3, 2.5, 0.03)),
];

export const defaultContextWindow = 128_000;

/** Whether an OpenAI model reasons; also for models that the table does not list yet. */
export function reasonsByName(model: string): boolean {
  return /^(gpt-([5-9]|\d\d)|o\d|codex)/.test(model);
}

/** `claude-haiku-4-5-20251001` and `gpt-5.4-2026-03-05` are dated versions of models in the table. */
export function findKnownModel(modelId: string): KnownModel | undefined {
  const id = modelId.replace(/^openai-chat\//, "openai/");
  const undated = id.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");
  return knownModels.find((model) => model.id === id) ?? knownModels.find((model) => model.id === undated);
}
