import type { AutomationAction, StartForm, Template } from "@skein/contracts";
import { listVariables } from "@skein/engine";
import { emptyStartForm } from "./empty-start-form.ts";

/** What an automation does, while it is written: what was entered for each kind is kept while another one is chosen. */
export interface ActionDraft {
  type: AutomationAction["type"];
  templateId: string;
  values: Readonly<Record<string, string>>;
  form: StartForm;
  attemptId: string;
  message: string;
}

export function toActionDraft(action: AutomationAction | undefined, { hasTemplates }: { hasTemplates: boolean }): ActionDraft {
  const type = action?.type ?? (hasTemplates ? "template" : "task");
  const empty: ActionDraft = { type, templateId: "", values: {}, form: emptyStartForm, attemptId: "", message: "" };
  if (action === undefined) return empty;
  if (action.type === "template") return { ...empty, templateId: action.templateId, values: action.values };
  if (action.type === "task") return { ...empty, form: action.form };
  return { ...empty, attemptId: action.attemptId, message: action.message };
}

export type ActionProblem = "template" | "values" | "prompt" | "attempt" | "message";

/** What is missing before it can be saved. `needed`: the variables that have no value otherwise. */
export function findActionProblem(draft: ActionDraft, template: Template | undefined, needed: readonly string[]): ActionProblem | null {
  switch (draft.type) {
    case "template":
      if (template === undefined) return "template";
      return needed.some((name) => !draft.values[name]?.trim()) ? "values" : null;
    case "task":
      return draft.form.prompt.trim() === "" ? "prompt" : null;
    default:
      if (draft.attemptId === "") return "attempt";
      return draft.message.trim() === "" ? "message" : null;
  }
}

/** Values of variables that the template no longer has are not sent. */
export function toAction(draft: ActionDraft, template: Template | undefined): AutomationAction {
  const { type, templateId, values, form, attemptId, message } = draft;
  if (type === "task") return { type, form };
  if (type === "message") return { type, attemptId: attemptId as never, message };
  const known = new Set(listVariables(template?.prompt ?? null, template?.title ?? null));
  const kept = Object.entries(values).filter(([name, value]) => known.has(name) && value.trim() !== "");
  return { type, templateId: templateId as never, values: Object.fromEntries(kept) };
}
