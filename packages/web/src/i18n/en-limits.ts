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
  budgets: "Budgets",
  aboutBudgets: "When one is used up, the agent is paused or stopped, and you are asked how to continue. Applies at once.",
  budgetsOf: "For",
  allProjects: "All projects",
  aboutProjectBudgets: "Replaces the budgets for all projects, line by line.",
  asForAll: "As for all",
  scopes: {
    execution: "One execution",
    task: "One task",
    project: "One project",
    projectDay: "One project, per day",
    day: "All projects, per day",
  },
  measures: { costUsd: "US dollars", tokens: "Tokens", minutes: "Minutes" },
  taskBudget: "Budget",
  setTaskBudget: "Set a budget",
  changeTaskBudget: "Change",
  noTaskBudget: "None applies",
  aboutTaskBudget: "For this task alone. Empty: the budget of the project or of all projects.",
  empty: "None",
  parking: "When a provider accepts no more requests",
  parkingChoices: {
    resume: "Resume by itself when the limit is over",
    onOverload: "Treat overload like a limit",
  },
  fallbacks: "Continue with another agent",
  aboutFallbacks:
    "If the provider of an agent accepts no more requests, the first agent of the project's list that is not limited itself continues in a new attempt, with the files and the conversation.",
  fallbacksOf: (project: string) => `Agents that continue in ${project}`,
  addFallback: (project: string) => `Add an agent that continues in ${project}`,
  chooseFallback: "Add an agent…",
  removeFallback: (agent: string) => `Remove ${agent}`,
};
export type LimitsText = typeof limitsEn;
