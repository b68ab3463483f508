import { RequestError } from "@agentclientprotocol/sdk";
import { formatText } from "@skein/engine/format-text";
import { arrayField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";
import { maximumFileBytes, readTextFile } from "../workspace/read-text-file.ts";
import { type Workspace, WorkspaceError } from "../workspace/workspace.ts";
import { writeFileAtomically } from "../workspace/write-file-atomically.ts";

/** Files that an agent reads and writes through Skein: only those of the working folder, by real path (X10). */
export interface AgentFiles {
  read(request: { path: string; line?: number | null; limit?: number | null }): Promise<{ content: string }>;
  write(request: { path: string; content: string }): Promise<void>;
  /** Whether a call changes only ordinary files of the working folder. */
  isPlainEdit(toolCall: JsonObject): Promise<boolean>;
  /** The protected files that a call changes, by real path: the user is asked in every mode. */
  listProtected(toolCall: JsonObject): Promise<string[]>;
  /** The user allowed a change of these protected files: each may be written once. */
  allowWrites(realPaths: readonly string[]): void;
  /** Whether everything that a call names is an ordinary file or folder of the working folder; an edit names at least one. */
  isOrdinary(toolCall: JsonObject): Promise<boolean>;
}

const editKinds = new Set(["edit", "delete", "move"]);

export function createAgentFiles(workspace: Workspace): AgentFiles {
  const writable = new Set<string>();
  const isOrdinary = async (toolCall: JsonObject): Promise<boolean> => {
    const paths = listPaths(toolCall);
    if (paths.length === 0) return !isEdit(toolCall);
    const isPlain = async (path: string) => (await workspace.resolve(path)).protection === null;
    return (await Promise.all(paths.map((path) => isPlain(path).catch(() => false)))).every(Boolean);
  };
  return {
    read: ({ path, line, limit }) =>
      refusing(async () => {
        const resolved = await workspace.resolve(path);
        if (!resolved.exists) throw RequestError.resourceNotFound(path);
        const { text } = await readTextFile(workspace, resolved);
        if (line == null && limit == null) return { content: text };
        const first = Math.max(0, (line ?? 1) - 1);
        const lines = text.split(/(?<=\n)/);
        return { content: lines.slice(first, limit == null ? undefined : first + limit).join("") };
      }),
    write: ({ path, content }) =>
      refusing(async () => {
        const resolved = await workspace.resolve(path);
        if (resolved.protection !== null && !writable.delete(resolved.absolute)) {
          throw new WorkspaceError(`${formatText(resolved.protection)} Ask for permission to edit it first.`);
        }
        const bytes = Buffer.from(content);
        if (bytes.length > maximumFileBytes) throw new WorkspaceError(`${path} would have ${bytes.length} bytes, too many.`);
        await writeFileAtomically(workspace, resolved, bytes, resolved.exists ? await getMode(workspace, resolved) : 0o644);
      }),
    async listProtected(toolCall) {
      if (!isEdit(toolCall)) return [];
      // files outside are not protected: editing them is up to the permission mode
      const resolved = await Promise.all(listPaths(toolCall).map((path) => workspace.resolve(path).catch(() => undefined)));
      return resolved.flatMap((path) => (path === undefined || path.protection === null ? [] : [path.absolute]));
    },
    allowWrites(realPaths) {
      for (const path of realPaths) writable.add(path);
    },
    isPlainEdit: async (toolCall) => isEdit(toolCall) && (await isOrdinary(toolCall)),
    isOrdinary,
  };
}

function isEdit(toolCall: JsonObject): boolean {
  return editKinds.has(stringField(toolCall, "kind") ?? "");
}

const pathFields = ["file_path", "filePath", "filepath", "path", "cwd", "workdir", "dir_path", "directory"];

/** Every path in the question: in its locations, its changes and the tool's input. */
export function listPaths(toolCall: JsonObject): string[] {
  const named = [...(arrayField(toolCall, "locations") ?? []), ...(arrayField(toolCall, "content") ?? [])];
  const inInput = pathFields.flatMap((name) => stringField(toolCall.rawInput, name) ?? []);
  return [...named.flatMap((entry) => stringField(entry, "path") ?? []), ...inInput];
}

async function getMode(workspace: Workspace, path: Awaited<ReturnType<Workspace["resolve"]>>): Promise<number> {
  const handle = await workspace.openFile(path);
  try {
    return (await handle.stat()).mode & 0o7777;
  } finally {
    await handle.close();
  }
}

/** A request that the workspace rejects is the agent's mistake: the error is written for its model. */
async function refusing<T>(serve: () => Promise<T>): Promise<T> {
  try {
    return await serve();
  } catch (error) {
    if (error instanceof WorkspaceError) throw RequestError.invalidParams(undefined, error.message);
    throw error;
  }
}
