import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { type Project, projectSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { exitCode } from "../exit-code.ts";

/** The project of the repository with this top folder; added if Skein does not know it yet. */
export async function findOrAddProject(client: ApiClient, top: string): Promise<Project> {
  const projects = await client.get("/api/projects", projectSchema.array());
  return projects.find((project) => project.path === top) ?? (await client.post("/api/projects", { path: top }, projectSchema));
}

/** The nearest parent folder with a `.git`. Read from disk: no program runs in a folder that is not trusted yet. */
export function findRepository(directory: string): string {
  if (!existsSync(directory)) throw new CliError(`The folder ${directory} does not exist.`, { exitCode: exitCode.usage });
  const start = realpathSync(directory);
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder;
    if (folder === path.dirname(folder)) break;
  }
  throw new CliError(`${start} is not in a git repository.`, {
    hint: "Choose another folder with --repo, or create a repository: git init && git add -A && git commit -m start",
    exitCode: exitCode.usage,
  });
}
