import { isAbsolute, resolve, sep } from "node:path";
import type { Attempt, ChangedElsewhere, ToolDetails } from "@skein/contracts";
import type { PresentTool } from "@skein/engine";
import type { Workspaces } from "@skein/host";
import type { ExecutionContext } from "./execution-context.ts";
import { findProjectOf } from "./project-of.ts";

/** Folders that do not belong to an attempt: those of other attempts, and the user's checkout. */
export interface ForeignFolders {
  /** Undefined for a path in the attempt's own folder, and for one outside all known folders. */
  find(path: string): ChangedElsewhere | undefined;
  /** Foreign paths that a command names, as written there. */
  findNamed(command: string): ChangedElsewhere[];
}

const maxNamed = 20;

/** Undefined if there is no host, or the project is gone. */
export async function findForeignFolders({ storage, host }: ExecutionContext, attempt: Attempt): Promise<ForeignFolders | undefined> {
  if (host === undefined) return undefined;
  const project = await findProjectOf(storage.read, attempt);
  return project && openForeignFolders(host.workspaces, { directory: attempt.directory, projectPath: project.path });
}

/** `directory`: the attempt's folder. */
export async function openForeignFolders(
  workspaces: Pick<Workspaces, "nameFolders">,
  { directory, projectPath }: { directory: string; projectPath: string },
): Promise<ForeignFolders> {
  const { directories, worktrees } = await workspaces.nameFolders({ directories: [directory, projectPath] });
  const [own = [], project = []] = directories;
  const worksInPlace = own.some((folder) => project.includes(folder));

  function find(path: string): ChangedElsewhere | undefined {
    const filePath = isAbsolute(path) ? resolve(path) : resolve(directory, path);
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
