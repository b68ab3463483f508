import type { TaskStatus } from "@skein/contracts";
import { byPosition } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { type AskedAt, listActiveTasks } from "../board/active-tasks.ts";

export interface SidebarGroup {
  name: "active" | TaskStatus;
  tasks: readonly KnownTask[];
  /** Number of tasks that are not listed. */
  hidden: number;
}

const openStatuses = ["in-progress", "in-review", "todo"] as const;
const maxListed = 30;

/** Waiting and running tasks come first, then the rest by status, as on the board. `asked`: tasks with a pending question. */
export function toSidebarGroups(tasks: readonly KnownTask[], asked: AskedAt): SidebarGroup[] {
  const active = listActiveTasks(tasks, asked);
  const isActive = new Set(active.map(({ id }) => id));
  const rest = tasks.filter(({ id }) => !isActive.has(id));
  return [
    { name: "active" as const, tasks: active, hidden: 0 },
    ...openStatuses.map((status) => {
      const inStatus = rest.filter((task) => task.status === status).sort(byPosition);
      return { name: status, tasks: inStatus.slice(0, maxListed), hidden: Math.max(0, inStatus.length - maxListed) };
    }),
  ].filter((group) => group.tasks.length > 0);
}
