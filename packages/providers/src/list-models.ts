import type { ModelInfo } from "@skein/contracts";
import { knownModels } from "./models/known-models.ts";

/** The environment variable that enables a provider's models. */
const keyNames = [
  { prefix: "anthropic/", variable: "ANTHROPIC_API_KEY" },
  { prefix: "openai/", variable: "OPENAI_API_KEY" },
  { prefix: "gemini/", variable: "GEMINI_API_KEY" },
];

/** The models that can be used on this machine: those whose key is set, then the built-in one. The first is the default. */
export function listModels(options: { environment?: Readonly<Record<string, string | undefined>> } = {}): ModelInfo[] {
  const environment = options.environment ?? process.env;
  const withKey = keyNames.filter(({ variable }) => (environment[variable] ?? "").trim() !== "");
  const models = withKey.flatMap(({ prefix }) =>
    knownModels
      .filter((model) => model.id.startsWith(prefix))
      .map(({ id, name, contextWindow, outputLimit, price }) => ({ id, name, contextWindow, outputLimit, price })),
  );
  return [...models, demo];
}

const demo: ModelInfo = {
  id: "scripted/demo",
  name: "Demo",
  description: "Needs no key and no network. Follows a script, and really runs its tools in your repository.",
};
