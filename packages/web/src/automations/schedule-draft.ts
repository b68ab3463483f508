import type { ProjectId, Schedule, Template } from "@skein/contracts";
import { listVariables } from "@skein/engine";
import { type ActionDraft, type ActionProblem, findActionProblem, toAction, toActionDraft } from "./action-draft.ts";

/** A schedule that is being written. */
export interface ScheduleDraft extends ActionDraft {
  projectId: ProjectId;
  name: string;
  cron: string;
  timeZone: string;
  missed: Schedule["missed"];
  overlap: Schedule["overlap"];
}

export function toScheduleDraft(
  schedule: Schedule | undefined,
  { projectId, timeZone, hasTemplates }: { projectId: ProjectId; timeZone: string; hasTemplates: boolean },
): ScheduleDraft {
  const fresh = { projectId, name: "", cron: "0 9 * * 1-5", timeZone, missed: "skip", overlap: "skip" } as const;
  const { name, cron, missed, overlap, ...rest } = schedule ?? { ...fresh, action: undefined };
  return {
    ...toActionDraft(rest.action, { hasTemplates }),
    ...{ projectId: rest.projectId, name, cron, timeZone: rest.timeZone, missed, overlap },
  };
}

/** Variables that have a value at each run. */
const ownVariables = ["date", "time"];

export function listNeeded(template: Template | undefined): string[] {
  return listVariables(template?.prompt ?? null, template?.title ?? null).filter((name) => !ownVariables.includes(name));
}

/** What is missing before it can be saved. */
export function findDraftProblem(draft: ScheduleDraft, template: Template | undefined): "name" | ActionProblem | null {
  return draft.name.trim() === "" ? "name" : findActionProblem(draft, template, listNeeded(template));
}

export function toScheduleRequest(
  draft: ScheduleDraft,
  template: Template | undefined,
): Pick<Schedule, "name" | "cron" | "timeZone" | "missed" | "overlap" | "action"> {
  const { name, cron, timeZone, missed, overlap } = draft;
  return { name: name.trim(), cron: cron.trim(), timeZone: timeZone.trim(), missed, overlap, action: toAction(draft, template) };
}
