import { createHash } from "node:crypto";
import { join } from "node:path";
import { type FileProblem, type ProjectScriptsFile, projectScriptsFileSchema, type RepositoryText, toIssueText } from "@skein/contracts";
import { readSmallFile } from "./read-small-file.ts";

const fileName = ".skein/project.json";

/** The content of `.skein/project.json`, or why it cannot be used. */
export type ReadScripts =
  | { kind: "none" }
  | { kind: "unusable"; problem: RepositoryText }
  | { kind: "read"; scripts: ProjectScriptsFile; hash: string };

/** Reads `.skein/project.json`. Runs nothing, whatever the file contains. */
export async function readProjectScripts(directory: string): Promise<ReadScripts> {
  const text = await readSmallFile(join(directory, fileName));
  if (text === undefined) return { kind: "none" };
  if (typeof text === "object") return unusable(text.problem);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    // the parser's message quotes the file, which may contain anything
    return unusable({ code: "file-not-json" });
  }
  const parsed = projectScriptsFileSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return unusable({
      code: "field-invalid",
      field: issue?.path.join(".") ?? "",
      issue: issue === undefined ? { code: "value-invalid" } : toIssueText(issue),
    });
  }
  return { kind: "read", scripts: parsed.data, hash: hashScripts(parsed.data) };
}

/** Hash of the parsed content: reformatting the file does not ask the user again. */
function hashScripts({ setup, cleanup, timeoutSeconds, copy, check, checkTimeoutSeconds, dev }: ProjectScriptsFile): string {
  // without a check or a dev script, what was trusted before there were any stays trusted
  const ofCheck = check === undefined ? [] : [check, checkTimeoutSeconds];
  const ofDev = dev === undefined ? [] : [{ dev }];
  return createHash("sha256")
    .update(JSON.stringify([setup ?? null, cleanup ?? null, timeoutSeconds, copy, ...ofCheck, ...ofDev]))
    .digest("hex");
}

function unusable(reason: FileProblem): ReadScripts {
  return { kind: "unusable", problem: { code: "repository-file-unusable", path: fileName, reason } };
}
