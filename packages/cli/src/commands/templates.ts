import { text } from "node:stream/consumers";
import {
  attemptSchema,
  type CreateTemplate,
  type Project,
  projectSchema,
  type Template,
  taskSchema,
  templateSchema,
} from "@skein/contracts";
import { listVariables, toOneLine, toTaskPrompt } from "@skein/engine";
import { findTemplate } from "../automations/find-template.ts";
import { type FormOptions, toForm } from "../automations/form-options.ts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { parseIdPrefix, resolveId } from "../ids/resolve-id.ts";
import { findOrAddProject, findRepository } from "../run/find-project.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

interface Options {
  home?: string;
  json?: boolean;
}

/** `skein templates` */
export async function templates(options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const [all, projects] = await Promise.all([
    client.get("/api/templates", templateSchema.array()),
    client.get("/api/projects", projectSchema.array()),
  ]);
  console.log(options.json ? JSON.stringify(all, null, 2) : formatList(all, projects));
  return exitCode.success;
}

/** `skein templates show` */
export async function showTemplate(name: string, options: Options): Promise<number> {
  await using connection = await connect(options);
  const template = await findTemplate(connection.client, name);
  if (options.json) console.log(JSON.stringify(template, null, 2));
  else console.log(`${toRevealedLine(template.name)}  ${template.id}\n\n${template.prompt}`);
  return exitCode.success;
}

/** `skein templates add`: from a prompt, or from a task. */
export async function addTemplate(
  name: string,
  prompt: string | undefined,
  options: Options & FormOptions & { repo: string; from?: string },
): Promise<number> {
  const { from, repo } = options;
  if ((prompt === undefined) === (from === undefined)) {
    throw new CliError("Write a prompt, or name a task with --from.", { exitCode: exitCode.usage });
  }
  await using connection = await connect(options);
  const { client } = connection;
  const own = toForm(options);
  const input: CreateTemplate =
    from === undefined
      ? {
          ...{ name, projectId: (await findOrAddProject(client, findRepository(repo))).id },
          ...{ prompt: prompt === "-" ? await text(process.stdin) : (prompt ?? ""), ...own },
        }
      : { ...(await readTask(client, from)), name, ...own };
  const template = await client.post("/api/templates", input, templateSchema);
  console.log(options.json ? JSON.stringify(template, null, 2) : `Saved ${toRevealedLine(template.name)} (${template.id}).`);
  return exitCode.success;
}

/** `skein templates remove` */
export async function removeTemplate(name: string, options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const template = await findTemplate(client, name);
  await client.request(`/api/templates/${template.id}`, { method: "DELETE" });
  console.log(`Deleted ${toRevealedLine(template.name)}.`);
  return exitCode.success;
}

/** Its words, and what its attempt uses. */
async function readTask(client: ApiClient, id: string): Promise<Omit<CreateTemplate, "name">> {
  const { taskId, attemptId } = await resolveId(client, parseIdPrefix(id));
  const task = await client.get(`/api/tasks/${taskId}`, taskSchema);
  const named = attemptId ?? task.activeAttemptId;
  const form = { projectId: task.projectId, prompt: toTaskPrompt(task) };
  if (named === null) return form;
  const { agent, model, permissionMode, sandbox } = await client.get(`/api/attempts/${named}`, attemptSchema);
  return { ...form, agent, model, permissionMode, sandbox: sandbox ?? null };
}

function formatList(all: readonly Template[], projects: readonly Project[]): string {
  if (all.length === 0) return 'No templates yet. Create one: skein templates add <name> "<prompt>"';
  const rows = all.map((template) => [
    template.id,
    toRevealedLine(projects.find(({ id }) => id === template.projectId)?.name ?? ""),
    toRevealedLine(template.name),
    listVariables(template.prompt, template.title).join(", ") || "none",
    toRevealedLine(toOneLine(template.prompt)).slice(0, 60),
  ]);
  return formatTable(["TEMPLATE", "PROJECT", "NAME", "VARIABLES", "PROMPT"], rows);
}
