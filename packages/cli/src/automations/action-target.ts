import { type AutomationAction, attemptSchema, type ProjectId, taskSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { exitCode } from "../exit-code.ts";
import { parseIdPrefix, resolveAttempt } from "../ids/resolve-id.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";
import { findTemplate, parseValues } from "./find-template.ts";
import { type FormOptions, toForm } from "./form-options.ts";

/** What an automation does, as options. */
export interface TargetOptions extends FormOptions {
  template?: string;
  set?: string[];
  /** A task or an attempt that gets the prompt as a message. */
  to?: string;
  repo: string;
}

/** Throws a usage error unless there is a prompt or a template. */
export function checkTarget(prompt: string | undefined, { template, to, set = [] }: TargetOptions): void {
  const wrong = (text: string): never => {
    throw new CliError(text, { exitCode: exitCode.usage });
  };
  if ((prompt === undefined) === (template === undefined)) wrong("Write a prompt, or name a template with --template.");
  if (template !== undefined && to !== undefined) wrong("--to sends a prompt, not a template.");
  if (set.length > 0 && template === undefined) wrong("--set needs --template.");
}

/** The project, and what is done there. */
export async function readTarget(
  client: ApiClient,
  prompt: string | undefined,
  options: TargetOptions,
): Promise<{ projectId: ProjectId; action: AutomationAction }> {
  if (options.to !== undefined) {
    const attemptId = await resolveAttempt(client, parseIdPrefix(options.to));
    const { taskId } = await client.get(`/api/attempts/${attemptId}`, attemptSchema);
    const { projectId } = await client.get(`/api/tasks/${taskId}`, taskSchema);
    return { projectId, action: { type: "message", attemptId, message: prompt ?? "" } };
  }
  const { id: projectId } = await findOrAddProject(client, findRepository(options.repo));
  if (options.template === undefined) {
    const open = { title: null, agent: null, model: null, permissionMode: null, sandbox: null, baseBranch: null };
    return { projectId, action: { type: "task", form: { ...open, prompt: prompt ?? "", ...toForm(options) } } };
  }
  const { id: templateId } = await findTemplate(client, options.template, projectId);
  return { projectId, action: { type: "template", templateId, values: Object.fromEntries(parseValues(options.set ?? [])) } };
}

/** The one with this name, or the beginning of its id. */
export function findByName<One extends { id: string; name: string }>(
  all: readonly One[],
  text: string,
  { one, list }: { one: string; list: string },
): One {
  const found = all.filter(({ id, name }) => name === text || id === text || (text.length >= 8 && id.startsWith(text)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new CliError(only === undefined ? `There is no ${one} “${text}”.` : `Several have the name “${text}”. Use an id.`, {
    hint: only === undefined ? `To list them: ${list}` : found.map(({ id }) => id).join("\n"),
    exitCode: exitCode.usage,
  });
}

export const actionNames: Record<AutomationAction["type"], string> = {
  template: "starts a template",
  task: "starts a task",
  message: "sends a message",
};

/** To the minute, as a clock shows it there. */
export function toMinute(at: number, timeZone?: string): string {
  return new Intl.DateTimeFormat("sv-SE", { ...(timeZone && { timeZone }), dateStyle: "short", timeStyle: "short" }).format(at);
}
