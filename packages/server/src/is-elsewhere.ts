import type { NodeId } from "@skein/contracts";
import type { Storage } from "@skein/engine";

/** Whether a project or attempt is on the machine of another server. */
export function isElsewhere({ nodes }: Pick<Storage, "nodes">, { nodeId }: { nodeId?: NodeId }): boolean {
  return nodes !== undefined && nodeId !== undefined && nodeId !== nodes.id;
}

/** What a project or attempt that is created here is stored with, so that it is announced as it will be read. */
export function onThisNode({ nodes }: Pick<Storage, "nodes">): { nodeId?: NodeId } {
  return nodes === undefined ? {} : { nodeId: nodes.id };
}
