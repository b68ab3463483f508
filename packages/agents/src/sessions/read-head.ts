import { openSessionFile } from "./read-session-lines.ts";

const firstBytes = 64 * 1024;
const mostBytes = 4 * 1024 * 1024;

/**
 * Parses the first lines of a file: 64 kB of them, and more, up to 4 MB, until `isComplete` accepts the result. `isWhole`: the result is
 * that of all lines of the file.
 */
export async function readHead<Head>(
  file: string,
  parse: (lines: string[]) => Head,
  isComplete: (head: Head) => boolean,
): Promise<Head & { isWhole: boolean }> {
  for (let bytes = firstBytes; ; bytes *= 8) {
    const { text, isWhole } = await readStart(file, bytes);
    const head = parse(text.split("\n"));
    if (isComplete(head) || isWhole || bytes >= mostBytes) return { ...head, isWhole };
  }
}

/** The first `bytes` of a file as text. */
export async function readStart(file: string, bytes: number): Promise<{ text: string; isWhole: boolean }> {
  const { handle, stats } = await openSessionFile(file);
  try {
    const buffer = Buffer.alloc(Math.min(bytes, stats.size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { text: buffer.toString("utf8", 0, bytesRead), isWhole: bytesRead >= stats.size };
  } finally {
    await handle.close();
  }
}
