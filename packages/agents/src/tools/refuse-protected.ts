import { formatText } from "@skein/engine";
import { WorkspaceError, type WorkspacePath } from "../workspace/workspace.ts";

/** Checked again at the time of use: the path may have changed since the user was asked. */
export function refuseProtected(path: WorkspacePath, allowed: boolean): void {
  if (path.protection !== null && !allowed) {
    throw new WorkspaceError(`${formatText(path.protection)} It was not changed: the user has to agree first.`);
  }
}
