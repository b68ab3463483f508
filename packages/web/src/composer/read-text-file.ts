import { fence } from "@skein/engine";

/** Longer texts belong in the repository, where the agent can read them. */
const maxBytes = 200_000;

/** A dropped or pasted file as a part of the message; null for one that is not text, or too long. */
export async function readTextFile(file: File): Promise<string | null> {
  if (file.size === 0 || file.size > maxBytes) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.includes(0)) return null;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
  return `${file.name}:\n${fence(text)}\n`;
}
