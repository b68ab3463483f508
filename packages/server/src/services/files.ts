import type { AttemptId, ProjectId, SlashCommand } from "@skein/contracts";
import { createPathLists } from "../files/list-paths.ts";
import { rankPaths } from "../files/rank-paths.ts";
import { readFile, readFolder } from "../files/read-worktree.ts";
import { getAttempt, getProject } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { ServiceError } from "./service-error.ts";

/** Before its first attempt, a task has only the project's own folder. */
export type FilePlace = { attemptId: AttemptId } | { projectId: ProjectId };

export type FileService = ReturnType<typeof createFileService>;

const builtIn: readonly SlashCommand[] = [
  { name: "compact", description: "Summarize what came before, so that the conversation fits the model again.", source: "built-in" },
];

/** What is in the folder that an attempt works in. Only read, never run (X8). */
export function createFileService({ storage, now }: ServiceContext) {
  const listPaths = createPathLists(now);

  async function find(place: FilePlace): Promise<{ directory: string; agent: string }> {
    if ("attemptId" in place) return getAttempt(storage.read, place.attemptId);
    return { directory: (await getProject(storage.read, place.projectId)).path, agent: "native" };
  }

  return {
    folder: async (attemptId: AttemptId, path: string) => readFolder((await getAttempt(storage.read, attemptId)).directory, path),
    file: async (attemptId: AttemptId, path: string) => readFile((await getAttempt(storage.read, attemptId)).directory, path),

    async match(place: FilePlace, { text, limit }: { text: string; limit: number }): Promise<string[]> {
      const { directory } = await find(place);
      const paths = await listPaths(directory).catch((cause: unknown) => {
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
