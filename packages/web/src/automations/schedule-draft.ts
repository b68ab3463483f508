import type { AutomationAction, ProjectId, Schedule, StartForm, Template } from "@skein/contracts";
import { listVariables } from "@skein/engine";
import { emptyStartForm } from "./empty-start-form.ts";

/** A schedule that is being written: what was entered for each kind of action is kept while another one is chosen. */
export interface ScheduleDraft {
  projectId: ProjectId;
  name: string;
  cron: string;
  timeZone: string;
  missed: Schedule["missed"];
  overlap: Schedule["overlap"];
  type: Schedule["action"]["type"];
  templateId: string;
  values: Readonly<Record<string, string>>;
  form: StartForm;
  attemptId: string;
  message: string;
}

export function toScheduleDraft(
  schedule: Schedule | undefined,
  place: { projectId: ProjectId; timeZone: string; hasTemplates: boolean },
): ScheduleDraft {
  const { projectId, timeZone, hasTemplates } = place;
  const empty: ScheduleDraft = {
    ...{ projectId, name: "", cron: "0 9 * * 1-5", timeZone, missed: "skip", overlap: "skip", type: hasTemplates ? "template" : "task" },
    ...{ templateId: "", values: {}, form: emptyStartForm, attemptId: "", message: "" },
  };
  if (schedule === undefined) return empty;
  const { name, cron, missed, overlap, action } = schedule;
  const known = { ...empty, projectId: schedule.projectId, name, cron, timeZone: schedule.timeZone, missed, overlap, type: action.type };
  if (action.type === "template") return { ...known, templateId: action.templateId, values: action.values };
  if (action.type === "task") return { ...known, form: action.form };
  return { ...known, attemptId: action.attemptId, message: action.message };
}

/** Variables that have a value at each run. */
const ownVariables = ["date", "time"];

export function listNeeded(template: Template | undefined): string[] {
  return listVariables(template?.prompt ?? null, template?.title ?? null).filter((name) => !ownVariables.includes(name));
}

export type DraftProblem = "name" | "template" | "values" | "prompt" | "attempt" | "message";

/** What is missing before it can be saved. */
export function findDraftProblem(draft: ScheduleDraft, template: Template | undefined): DraftProblem | null {
  if (draft.name.trim() === "") return "name";
  switch (draft.type) {
    case "template":
      if (template === undefined) return "template";
      return listNeeded(template).some((name) => !draft.values[name]?.trim()) ? "values" : null;
    case "task":
      return draft.form.prompt.trim() === "" ? "prompt" : null;
    default:
      if (draft.attemptId === "") return "attempt";
      return draft.message.trim() === "" ? "message" : null;
  }
}

export function toScheduleRequest(
  draft: ScheduleDraft,
  template: Template | undefined,
): Pick<Schedule, "name" | "cron" | "timeZone" | "missed" | "overlap" | "action"> {
  const { name, cron, timeZone, missed, overlap } = draft;
  return { name: name.trim(), cron: cron.trim(), timeZone: timeZone.trim(), missed, overlap, action: toAction(draft, template) };
}

function toAction({ type, templateId, values, form, attemptId, message }: ScheduleDraft, template: Template | undefined): AutomationAction {
  if (type === "task") return { type, form };
  if (type === "message") return { type, attemptId: attemptId as never, message };
  const needed = new Set(listVariables(template?.prompt ?? null, template?.title ?? null));
  const kept = Object.entries(values).filter(([name, value]) => needed.has(name) && value.trim() !== "");
  return { type, templateId: templateId as never, values: Object.fromEntries(kept) };
}
