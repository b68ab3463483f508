import { WorkspaceError, type WorkspacePath } from "../workspace/workspace.ts";

/** Asked again at the moment of use: the path may lead elsewhere than when the person was asked. */
export function refuseProtected(path: WorkspacePath, allowed: boolean): void {
  if (path.protection !== null && !allowed) throw new WorkspaceError(`${path.protection} It was not changed: a person has to agree first.`);
}
