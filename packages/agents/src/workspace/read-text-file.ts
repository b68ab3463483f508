import { type Workspace, WorkspaceError, type WorkspacePath } from "./workspace.ts";

/** A text file and its format. */
export interface TextFile {
  /** The content without its byte order mark. */
  text: string;
  hasByteOrderMark: boolean;
  mode: number;
}

/** The largest file that is read as text. */
export const maximumFileBytes = 20 * 1024 * 1024;

/** @throws WorkspaceError if it is missing, not a file, too large or not text. */
export async function readTextFile(workspace: Workspace, path: WorkspacePath): Promise<TextFile> {
  if (!path.exists) throw new WorkspaceError(`${path.relative} does not exist. Use list or glob to find the right path.`);
  const handle = await workspace.openFile(path);
  try {
    const { size, mode } = await handle.stat();
    if (size > maximumFileBytes) {
      throw new WorkspaceError(`${path.relative} has ${size} bytes, too many for this tool. Use bash, for example head, tail or sed -n.`);
    }
    const bytes = await handle.readFile();
    return { ...decode(bytes, path.relative), mode: mode & 0o7777 };
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer, name: string): { text: string; hasByteOrderMark: boolean } {
  const binary = `${name} is not a text file (${bytes.length} bytes). Use bash to look into it, for example file or xxd | head.`;
  if (bytes.subarray(0, 8192).includes(0)) throw new WorkspaceError(binary);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith("\uFEFF") ? { text: text.slice(1), hasByteOrderMark: true } : { text, hasByteOrderMark: false };
  } catch (cause) {
    throw new WorkspaceError(binary, { cause });
  }
}
