import { isAbsolute, resolve, sep } from "node:path";
import type { Attempt, ChangedElsewhere, ToolDetails } from "@skein/contracts";
import type { PresentTool } from "@skein/engine";
import type { ExecutionContext } from "./execution-context.ts";
import { toRealPath } from "./inherited-paths.ts";

/** Folders that do not belong to an attempt: those of other attempts, and the user's checkout. */
export interface ForeignFolders {
  /** Undefined for a path in the attempt's own folder, and for one outside all known folders. */
  find(path: string): ChangedElsewhere | undefined;
  /** Foreign paths that a command names, as written there. */
  findNamed(command: string): ChangedElsewhere[];
}

const maxNamed = 20;

/** Undefined if detection is disabled or the project is gone. */
export async function findForeignFolders(
  { storage, worktreeRoot }: ExecutionContext,
  attempt: Attempt,
): Promise<ForeignFolders | undefined> {
  if (worktreeRoot === undefined) return undefined;
  const task = await storage.read.findTask({ id: attempt.taskId });
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  return project && openForeignFolders({ directory: attempt.directory, projectPath: project.path, worktreeRoot });
}

export async function openForeignFolders(input: {
  /** The attempt's folder. */
  directory: string;
  projectPath: string;
  worktreeRoot: string;
}): Promise<ForeignFolders> {
  const listNames = async (folder: string) => [...new Set([folder, await toRealPath(folder)])];
  const own = await listNames(input.directory);
  const worktrees = await listNames(input.worktreeRoot);
  const project = await listNames(input.projectPath);
  const worksInPlace = own.some((folder) => project.includes(folder));

  function find(path: string): ChangedElsewhere | undefined {
    const filePath = isAbsolute(path) ? resolve(path) : resolve(input.directory, path);
    const isIn = (folders: readonly string[]) => folders.some((folder) => filePath === folder || filePath.startsWith(folder + sep));
    // the data dir may be inside the project
    if (isIn(worktrees)) return !worksInPlace && isIn(own) ? undefined : { filePath, owner: "another-attempt" };
    return isIn(project) && !isIn(own) ? { filePath, owner: "checkout" } : undefined;
  }

  return {
    find,
    findNamed(command) {
      const paths = command.match(/(?<![\w.~-])(?:\/|(?:\.\.\/)+|\.\.(?=[\s;&|]|$))[^\s'"`;|&<>()$*?\\{}=]*/g) ?? [];
      const found = new Map(paths.flatMap((path) => find(path) ?? []).map((one) => [one.filePath, one]));
      return [...found.values()].slice(0, maxNamed);
    },
  };
}

/** Marks cards of changes in foreign folders. Depends on the path only, so that the same log always produces the same cards. */
export function withForeignFolders(present: PresentTool, { find }: ForeignFolders): PresentTool {
  return (observation) => {
    const presented = present(observation);
    const changedElsewhere = listChangedFiles(presented.details).flatMap((path) => find(path) ?? []);
    return changedElsewhere.length === 0 ? presented : { ...presented, changedElsewhere };
  };
}

function listChangedFiles(details: ToolDetails | undefined): string[] {
  if (details?.type === "diff") return [details.data, ...(details.data.otherFiles ?? [])].map(({ filePath }) => filePath);
  return details?.type === "commandOutput" ? (details.data.changedFiles ?? []).map(({ filePath }) => filePath) : [];
}
