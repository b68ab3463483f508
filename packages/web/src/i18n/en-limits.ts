import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** Texts of Settings → Limits. */
export const limitsEn = {
  about: "How many agents may run at the same time. A message that exceeds a limit waits for its turn.",
  running: "In all",
  noLimit: "No limit",
  perAgent: "By agent",
  perProject: "By project",
  saved: "Saved",
  waiting: "Waiting to start",
  nothing: "Nothing is waiting.",
  since: (age: string) => `for ${age}`,
  startNow: "Start now",
  startNowLabel: (title: string) => `Start “${title}” now`,
  up: (title: string) => `Move “${title}” up`,
  down: (title: string) => `Move “${title}” down`,
  moved: (title: string, place: number) => `${title}: now number ${place}`,
  count: (count: number) => plural(count, { one: "# execution waits", other: "# executions wait" }),
  unknownTask: "A task",
};
export type LimitsText = typeof limitsEn;
