import type { TaskId, TaskStatus } from "@skein/contracts";
import { byPosition } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { toTaskState } from "../board/use-task-state.ts";

export interface SidebarGroup {
  name: "active" | TaskStatus;
  tasks: readonly KnownTask[];
  /** How many more it has than are listed. */
  hidden: number;
}

const openStatuses = ["in-progress", "in-review", "todo"] as const;
const maxListed = 30;

/** What waits or runs comes first, then the rest by status, as on the board. `asked`: tasks with an open question. */
export function toSidebarGroups(tasks: readonly KnownTask[], asked: ReadonlyMap<TaskId, number>): SidebarGroup[] {
  const stateOf = new Map(tasks.map((task) => [task.id, toTaskState(task, { askedAt: asked.get(task.id) })]));
  const rankOf = ({ id }: KnownTask) => ["waiting", "running"].indexOf(stateOf.get(id)?.state ?? "");
  const active = tasks
    .filter((task) => rankOf(task) !== -1)
    // the longest first: a new one is added below, and nothing moves when a tool changes
    .sort((a, b) => rankOf(a) - rankOf(b) || (stateOf.get(a.id)?.since ?? 0) - (stateOf.get(b.id)?.since ?? 0) || byPosition(a, b));
  const rest = tasks.filter((task) => rankOf(task) === -1);
  return [
    { name: "active" as const, tasks: active, hidden: 0 },
    ...openStatuses.map((status) => {
      const inStatus = rest.filter((task) => task.status === status).sort(byPosition);
      return { name: status, tasks: inStatus.slice(0, maxListed), hidden: Math.max(0, inStatus.length - maxListed) };
    }),
  ].filter((group) => group.tasks.length > 0);
}
