import { realpathSync } from "node:fs";
import { type Project, projectSchema, taskSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** `skein tasks`: newest first. */
export async function tasks(options: { home?: string; project?: string; json?: boolean }): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const projects = await client.get("/api/projects", projectSchema.array());
  const project = options.project === undefined ? undefined : findProject(projects, options.project);
  const list = await client.get(project === undefined ? "/api/tasks" : `/api/tasks?projectId=${project.id}`, taskSchema.array());
  list.sort((a, b) => b.updatedAt - a.updatedAt);
  if (options.json) {
    console.log(JSON.stringify(list, null, 2));
    return exitCode.success;
  }
  if (list.length === 0) {
    console.log('There are no tasks yet. Make one in the web UI, or with: skein run "<what to do>"');
    return exitCode.success;
  }
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const rows = list.map((task) => [task.id, task.status, toRevealedLine(names.get(task.projectId) ?? ""), toRevealedLine(task.title)]);
  console.log(formatTable(["TASK", "STATUS", "PROJECT", "TITLE"], rows));
  return exitCode.success;
}

function findProject(projects: Project[], wanted: string): Project {
  const folder = realPathOf(wanted);
  const found =
    projects.find((project) => project.id === wanted || project.path === folder) ?? projects.find(({ name }) => name === wanted);
  if (found === undefined) {
    const known = projects.map(({ name, path }) => `${name} (${path})`).join(", ");
    throw new CliError(`There is no project ${wanted}.`, { hint: known === "" ? undefined : `Known: ${known}`, exitCode: exitCode.usage });
  }
  return found;
}

function realPathOf(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}
