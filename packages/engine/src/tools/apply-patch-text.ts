/** A file that an `apply_patch` text changes. */
export interface PatchedFile {
  path: string;
  kind: "add" | "update" | "delete";
  movePath?: string;
  /** The whole text of a new file, the hunks of a change. */
  diff: string;
}

const fileLine = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const moveLine = /^\*\*\* Move to: (.+)$/;

/** Parses the format of `apply_patch`: `*** Begin Patch`, a section per file, hunks that are located by their context. */
export function parseApplyPatch(text: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  let lines: string[] = [];
  let file: PatchedFile | undefined;
  const close = (): void => {
    if (file === undefined) return;
    file.diff = file.kind === "add" ? lines.map((line) => `${line.slice(1)}\n`).join("") : lines.join("\n");
    files.push(file);
  };
  for (const line of text.split("\n")) {
    const [, kind, path] = fileLine.exec(line) ?? [];
    if (kind !== undefined && path !== undefined) {
      close();
      file = { path: path.trim(), kind: kind.toLowerCase() as PatchedFile["kind"], diff: "" };
      lines = [];
    } else if (line.startsWith("*** End Patch")) {
      break;
    } else if (file !== undefined) {
      const movePath = moveLine.exec(line)?.[1]?.trim();
      if (movePath !== undefined) file.movePath = movePath;
      else if (line !== "*** End of File") lines.push(line);
    }
  }
  close();
  return files;
}
