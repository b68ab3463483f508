import type { TaskId, TaskOverview } from "@skein/contracts";
import { api } from "./api.ts";

const loading = new Map<TaskId, Promise<TaskOverview>>();

/** Overviews of tasks that are being opened. Queries for their parts wait for the answer instead of sending requests of their own. */
export const taskOverviews = {
  /** Sends the request when `ready` resolves. */
  load(taskId: TaskId, ready: Promise<void>): Promise<TaskOverview> {
    const known = loading.get(taskId);
    if (known) return known;
    const answer = ready.then(() => api.getTaskOverview(taskId)).finally(() => loading.delete(taskId));
    loading.set(taskId, answer);
    return answer;
  },
  /** Undefined if none is being loaded, or it fails. */
  async find(taskId: TaskId): Promise<TaskOverview | undefined> {
    return loading.get(taskId)?.catch(() => undefined);
  },
};
