import type { ProcessEntry } from "./process-table.ts";

/** Adds a process, its descendants, and the members of the groups that they lead. */
export function collectDescendants(entries: readonly ProcessEntry[], root: number, found: Set<number>): void {
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    // group === pid: a group leader; members may have been re-parented to init
    for (const entry of entries) if (entry.parent === pid || entry.group === pid) open.push(entry.pid);
  }
}
