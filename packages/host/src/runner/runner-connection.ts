import { connect, type Socket } from "node:net";
import type { RunnerIdentity } from "./execution-folder.ts";
import { processTable } from "./process-table.ts";
import { isProcessAlive } from "./process-tree.ts";
import { createLineSplitter, type FromRunner, parseFromRunner, type ToRunner } from "./runner-protocol.ts";

export interface RunnerConnection {
  send(request: ToRunner): void;
  close(): void;
}

/** Calls `onReport` for each report and `onClose` once; rejects if nothing listens. `key`: the control key of the runner's order. */
export async function connectRunner(
  identity: Pick<RunnerIdentity, "socket">,
  key: string,
  listeners: { onReport: (report: FromRunner) => void; onClose: () => void },
): Promise<RunnerConnection> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const attempt = connect(identity.socket);
    attempt.once("error", reject);
    attempt.once("connect", () => {
      attempt.removeAllListeners("error");
      resolve(attempt);
    });
  });
  socket.setEncoding("utf8");
  socket.on("error", () => {}); // followed by close
  socket.on("close", listeners.onClose);
  socket.on(
    "data",
    createLineSplitter((line) => {
      const report = parseFromRunner(line);
      if (report !== undefined) listeners.onReport(report);
    }),
  );
  return {
    send: (request) => void socket.write(`${JSON.stringify({ ...request, key })}\n`),
    close: () => socket.destroy(),
  };
}

/** Whether the process that wrote the identity is alive, and not another with its pid after a reboot or wrap-around. */
export function isRunnerAlive(identity: RunnerIdentity): boolean {
  if (identity.bootId !== null && identity.bootId !== processTable.readBootId()) return false;
  if (identity.startTime !== null) return identity.startTime === processTable.readStartTime(identity.pid);
  return isProcessAlive(identity.pid);
}
