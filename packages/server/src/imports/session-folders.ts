import { basename, dirname, sep } from "node:path";
import { createId, type ImportFolderState, type Project } from "@skein/contracts";
import { ServiceError, type StorageTransaction } from "@skein/engine";
import type { ImportContext } from "./import-context.ts";

/** The current state of the folder that a session worked in. */
export interface SessionFolder {
  state: ImportFolderState;
  /** The repository; otherwise the folder that the session names. */
  path: string;
  repository: Awaited<ReturnType<ImportContext["host"]["workspaces"]["inspectRepository"]>> | undefined;
}

/** Finds the repositories of sessions. Many sessions have the same folder. */
export interface SessionFolders {
  find(directory: string | null): Promise<SessionFolder>;
}

export function createSessionFolders({ host }: Pick<ImportContext, "host">): SessionFolders {
  const known = new Map<string, Promise<SessionFolder>>();
  const homeFolder = host.environment.HOME ?? sep;

  async function inspect(path: string): Promise<SessionFolder> {
    try {
      const repository = await host.workspaces.inspectRepository({ path });
      return { state: "repository", path: repository.directory, repository };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const isMissing = error.text.code === "path-not-found";
      // the session may have worked in a folder of the repository that was removed since
      const above = dirname(path);
      if (!isMissing || above === path || above === homeFolder) {
        return { state: isMissing ? "missing" : "no-repository", path, repository: undefined };
      }
      const found = await find(above);
      return found.state === "repository" && found.path !== homeFolder ? found : { state: "missing", path, repository: undefined };
    }
  }

  function find(directory: string | null): Promise<SessionFolder> {
    const path = directory ?? homeFolder;
    const found = known.get(path) ?? inspect(path);
    known.set(path, found);
    return found;
  }

  return { find };
}

/**
 * The project of a folder; added if there is none. A folder that is missing, or in no repository, becomes a project, too: its sessions can
 * be read, and continued once the folder is a repository.
 */
export async function findOrAddProject(
  tx: StorageTransaction,
  { host }: Pick<ImportContext, "host">,
  { folder, at }: { folder: SessionFolder; at: number },
): Promise<Project> {
  const known = await tx.findProject({ path: folder.path });
  if (known !== undefined) return known;
  const project: Project = {
    id: createId("prj", at),
    name: basename(folder.path) || folder.path,
    path: folder.path,
    systemPrompt: "",
    createdAt: at,
    updatedAt: at,
  };
  await tx.insertProject(project);
  if (folder.repository !== undefined) await host.workspaces.addProject({ id: project.id, repository: folder.repository });
  await tx.appendEvent({ type: "project:created", projectId: project.id, project }, at);
  return project;
}
