import type { ModelInfo } from "@skein/contracts";

/** The agent's models, and the one in use where the agent does not list it. */
export function toModelChoices(models: readonly ModelInfo[], current: string | null): ModelInfo[] {
  if (current === null || models.some(({ id }) => id === current)) return [...models];
  return [...models, { id: current, name: current }];
}
