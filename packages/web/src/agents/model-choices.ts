import type { Attempt, ModelInfo } from "@skein/contracts";

type Chosen = Pick<Attempt, "model" | "sessionOptions">;

/** What the agent's session offers, else the models that are known of the agent; and the one in use where neither lists it. */
export function toModelChoices(models: readonly ModelInfo[], { model: current, sessionOptions }: Chosen): ModelInfo[] {
  const offered = sessionOptions?.models ?? [];
  const known = new Map(models.map((model) => [model.id, model]));
  // keeps what else is known of the model
  const list = offered.length === 0 ? [...models] : offered.map((model) => ({ ...known.get(model.id), ...model }));
  return current === null || list.some(({ id }) => id === current) ? list : [...list, known.get(current) ?? { id: current, name: current }];
}

/** The model that the session began with: what the agent uses where nothing was chosen. */
export function toCurrentModel({ sessionOptions }: Chosen): { id: string; name: string } | undefined {
  const current = sessionOptions?.currentModel;
  if (current === undefined) return undefined;
  return sessionOptions?.models.find(({ id }) => id === current) ?? { id: current, name: current };
}
