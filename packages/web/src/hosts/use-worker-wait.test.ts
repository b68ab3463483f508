import type { ExecutionId, HostId, Worker } from "@skein/contracts";
import { expect, it } from "vitest";
import { findWorkerWait } from "./use-worker-wait.ts";

const first = "exe_1" as ExecutionId;
const second = "exe_2" as ExecutionId;
const box: Worker = {
  ...{ id: "hst_1" as HostId, name: "box", tags: [], capacity: 1, version: "1", agents: [], state: "active" },
  ...{ expiresAt: null, lastSeenAt: 5, createdAt: 1, isConnected: true, running: 1, waiting: 1, waitingExecutions: [second] },
  ...{ fetches: [], isOtherVersion: false },
};

it("[W3] an execution that waits for its worker is named with the reason, one that runs there is not", () => {
  expect(findWorkerWait([box], [first])).toBeUndefined();
  expect(findWorkerWait([box], [first, second])).toEqual({ worker: box, why: "busy" });
  const draining = { ...box, state: "draining" } as const;
  expect(findWorkerWait([draining], [second])).toEqual({ worker: draining, why: "draining" });
  const offline = { ...draining, isConnected: false } as const;
  expect(findWorkerWait([offline], [second])).toEqual({ worker: offline, why: "offline" });
});
