import { type AttemptId, type FileContent, type ProjectId, ServiceError, type SlashCommand } from "@skein/contracts";
import {
  createPathLists,
  type GitFolder,
  maxImageBytes,
  openBase,
  rankPaths,
  readBlob,
  readFile,
  readFolder,
  resolveHead,
  toFileContent,
} from "@skein/host";
import { getAttempt, getProject } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/** Before its first attempt, a task has only the project's own folder. */
export type FilePlace = { attemptId: AttemptId } | { projectId: ProjectId };

export type FileService = ReturnType<typeof createFileService>;

const builtIn: readonly SlashCommand[] = [
  { name: "compact", description: "Summarize what came before, so that the conversation fits the model again.", source: "built-in" },
];

/** What is in the folder that an attempt works in. Only read, never run (X8). */
export function createFileService({ storage, now, gitFolders }: ServiceContext) {
  const listPaths = createPathLists(now);

  async function find(place: FilePlace): Promise<{ directory: string; agent: string }> {
    if ("attemptId" in place) return getAttempt(storage.read, place.attemptId);
    return { directory: (await getProject(storage.read, place.projectId)).path, agent: "native" };
  }

  /** With the files of the base, or of the project's last commit, which are listed also where a rule excludes them. */
  async function openFolder(place: FilePlace): Promise<GitFolder> {
    if ("attemptId" in place) {
      const attempt = await getAttempt(storage.read, place.attemptId);
      const folder = await gitFolders.ofAttempt(attempt);
      await openBase(folder, attempt.baseCommit);
      return folder;
    }
    const folder = await gitFolders.ofProject(await getProject(storage.read, place.projectId));
    await openBase(folder, await resolveHead(folder), { refresh: false });
    return folder;
  }

  return {
    folder: async (attemptId: AttemptId, path: string) => readFolder((await getAttempt(storage.read, attemptId)).directory, path),

    /** `blob`: git's id of a content that the file had. Where the repository does not hold it, it is what the folder holds now. */
    async file(attemptId: AttemptId, { path, blob }: { path: string; blob?: string | undefined }): Promise<FileContent> {
      const attempt = await getAttempt(storage.read, attemptId);
      const stored = blob === undefined ? null : await readBlob(await gitFolders.ofAttempt(attempt), blob, maxImageBytes);
      return stored === null ? readFile(attempt.directory, path) : toFileContent({ path, ...stored });
    },

    async match(place: FilePlace, { text, limit }: { text: string; limit: number }): Promise<string[]> {
      const { directory } = await find(place);
      const paths = await listPaths(directory, () => openFolder(place)).catch((cause: unknown) => {
        const message = `The files in ${directory} could not be listed. Check that the folder is still there.`;
        throw new ServiceError("unavailable", "files-unreadable", message, { cause });
      });
      return rankPaths(paths, text, limit);
    },

    async commands(place: FilePlace): Promise<SlashCommand[]> {
      const { directory, agent } = await find(place);
      const { listCommands } = await import("@skein/agents/commands");
      const ofProject = await listCommands(directory).catch(() => []);
      return [
        ...(agent === "native" ? builtIn : []),
        ...ofProject.map(({ name, description }) => ({ name, description, source: "project" as const })),
      ];
    },
  };
}
