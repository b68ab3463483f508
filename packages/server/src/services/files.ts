import type { AttemptId, FileContent, ProjectId, SlashCommand } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { SearchedFolder } from "@skein/host";
import { getAttemptFolder } from "../executions/attempt-folder.ts";
import { getAttempt, getProject } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/** A task without attempts has only the project's folder. */
export type FilePlace = { attemptId: AttemptId } | { projectId: ProjectId };

export type FileService = ReturnType<typeof createFileService>;

const builtIn: readonly SlashCommand[] = [
  { name: "compact", description: "Summarize what came before, so that the conversation fits the model again.", source: "built-in" },
];

/** The files of an attempt's folder. Read only, never run (X8). */
export function createFileService({ storage, host: { workspaces }, agents }: ServiceContext) {
  /** A project has no agent yet: its composer offers the commands of all that may be chosen. */
  async function listBuiltIn(place: FilePlace): Promise<readonly SlashCommand[]> {
    if ("projectId" in place) return builtIn;
    const { agent } = await getAttempt(storage.read, place.attemptId);
    return agents.find(agent)?.capabilities.compressesHistory ? builtIn : [];
  }

  const findFolder = async (id: AttemptId) => getAttemptFolder({ storage }, await getAttempt(storage.read, id));

  async function findSearched(place: FilePlace): Promise<SearchedFolder> {
    if ("attemptId" in place) return { attempt: await findFolder(place.attemptId) };
    const { id, path } = await getProject(storage.read, place.projectId);
    return { project: { id, path } };
  }

  return {
    folder: async (attemptId: AttemptId, path: string) => workspaces.readFolder({ attempt: await findFolder(attemptId), path }),

    /** `blob`: git's id of an earlier content. If the repository does not have it, the current file is returned. */
    async file(attemptId: AttemptId, { path, blob }: { path: string; blob?: string | undefined }): Promise<FileContent> {
      return workspaces.readFile({ attempt: await findFolder(attemptId), path, blob });
    },

    async match(place: FilePlace, { text, limit }: { text: string; limit: number }): Promise<string[]> {
      const folder = await findSearched(place);
      return workspaces.matchPaths({ folder, text, limit }).catch((cause: unknown) => {
        const directory = "attempt" in folder ? folder.attempt.directory : folder.project.path;
        throw new ServiceError("unavailable", { code: "files-unreadable", directory }, { cause });
      });
    },

    async commands(place: FilePlace): Promise<SlashCommand[]> {
      return [...(await listBuiltIn(place)), ...(await workspaces.listCommands(await findSearched(place)))];
    },
  };
}
