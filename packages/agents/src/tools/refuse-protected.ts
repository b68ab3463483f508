import { formatText } from "@skein/engine";
import { WorkspaceError, type WorkspacePath } from "../workspace/workspace.ts";

/** Asked again at the moment of use: the path may lead elsewhere than when the user was asked. */
export function refuseProtected(path: WorkspacePath, allowed: boolean): void {
  if (path.protection !== null && !allowed) {
    throw new WorkspaceError(`${formatText(path.protection)} It was not changed: the user has to agree first.`);
  }
}
