import { realpathSync } from "node:fs";
import { type Project, projectSchema, taskSummarySchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatAge } from "../format/age.ts";
import { formatTable } from "../format/table.ts";
import { toTaskState } from "../format/task-state.ts";
import { shortenId } from "../ids/short-id.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

/** `skein tasks`: running and waiting tasks first, then the newest. */
export async function tasks(options: { home?: string; project?: string; all?: boolean; json?: boolean }): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const projects = await client.get("/api/projects", projectSchema.array());
  const project = options.project === undefined ? undefined : findProject(projects, options.project);
  // short ids must be unique among all tasks, also those that are not listed
  const every = await client.get("/api/tasks?archived=all", taskSummarySchema.array());
  const list = every.filter((task) => (options.all || !task.archived) && (project === undefined || task.projectId === project.id));
  if (options.json) {
    console.log(JSON.stringify(list, null, 2));
    return exitCode.success;
  }
  if (list.length === 0) {
    console.log('No tasks yet. Create one in the web UI (skein open), or run: skein run "<what to do>"');
    return exitCode.success;
  }
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const ids = every.map(({ id }) => id);
  const shown = list
    .map((task) => ({ task, state: toTaskState(task), isOpen: task.activity.executing || task.activity.pendingApprovals > 0 }))
    .sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || b.state.since - a.state.since);
  const hasUsers = list.some(({ by }) => by !== undefined);
  const rows = shown.map(({ task, state }) => [
    shortenId(task.id, ids),
    state.text,
    formatAge(Date.now() - state.since),
    ...(hasUsers ? [toRevealedLine(task.by?.name ?? "")] : []),
    toRevealedLine(names.get(task.projectId) ?? ""),
    toRevealedLine(task.title),
  ]);
  console.log(formatTable(["TASK", "STATE", "AGE", ...(hasUsers ? ["BY"] : []), "PROJECT", "TITLE"], rows));
  return exitCode.success;
}

function findProject(projects: Project[], wanted: string): Project {
  const folder = realPathOf(wanted);
  const found =
    projects.find((project) => project.id === wanted || project.path === folder) ?? projects.find(({ name }) => name === wanted);
  if (found === undefined) {
    const known = projects.map(({ name, path }) => `${name} (${path})`).join(", ");
    throw new CliError(`There is no project “${wanted}”.`, {
      hint: known === "" ? "No project has been added yet. skein run adds the repository that it works on." : `Known projects: ${known}`,
    });
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
