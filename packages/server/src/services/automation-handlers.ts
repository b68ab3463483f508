import type { NodeId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { JobHandlers, Jobs } from "../jobs/jobs.ts";
import type { Logger } from "../logger.ts";
import type { AutomationEffects } from "./automation-request.ts";
import { createRunHandler, runJob, toJobName } from "./automation-runs.ts";
import { createScheduleHandler, scheduleJob } from "./schedule-jobs.ts";

/** The jobs of automations: of projects that no server owns, and of this server's. */
export function createAutomationHandlers(input: {
  storage: Storage;
  logger: Logger;
  now(): number;
  nodeId: NodeId | undefined;
  jobs: Pick<Jobs, "enqueue">;
  effects: AutomationEffects;
}): JobHandlers {
  const handlers = { [scheduleJob]: createScheduleHandler(input), [runJob]: createRunHandler(input) };
  const places = input.nodeId === undefined ? [undefined] : [undefined, input.nodeId];
  return Object.fromEntries(
    Object.entries(handlers).flatMap(([name, handler]) => places.map((nodeId) => [toJobName(name, nodeId), handler] as const)),
  );
}
