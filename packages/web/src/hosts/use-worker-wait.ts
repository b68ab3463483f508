import type { ExecutionId, Worker } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { workersQuery } from "../api/worker-api.ts";

/** The worker that an execution waits for. */
export interface WorkerWait {
  why: "offline" | "draining" | "busy";
  worker: Worker;
}

/** Why one of these executions waits for its worker; undefined if none of them does. */
export function findWorkerWait(workers: readonly Worker[], executions: readonly ExecutionId[]): WorkerWait | undefined {
  const worker = workers.find(({ waitingExecutions }) => executions.some((id) => waitingExecutions.includes(id)));
  if (worker === undefined) return undefined;
  return { worker, why: !worker.isConnected ? "offline" : worker.state === "draining" ? "draining" : "busy" };
}

/** Asks for the workers only while something runs. */
export function useWorkerWait(executions: readonly ExecutionId[]): WorkerWait | undefined {
  const { data: workers = [] } = useQuery({ ...workersQuery, enabled: executions.length > 0 });
  return findWorkerWait(workers, executions);
}
