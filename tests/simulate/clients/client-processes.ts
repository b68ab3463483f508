import { type ChildProcess, fork } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Violations } from "../checks/violations.ts";
import type { SimulatedServer } from "../cluster/cluster.ts";
import { Samples } from "../measure/samples.ts";
import type { ClientOrder, ClientReport, ClientTarget } from "./client-protocol.ts";

/** The processes with the event stream clients. */
export interface Clients {
  readonly pids: readonly number[];
  readonly connected: number;
  readonly frames: number;
  readonly bytes: number;
  readonly jumps: number;
  readonly delays: Samples;
  readonly reconnects: Samples;
  setTasks(ids: readonly string[]): void;
  /** Resolves with the number of compared messages when every client has caught up and compared. */
  finish(order: Omit<Extract<ClientOrder, { type: "finish" }>, "type">): Promise<number>;
  end(): void;
}

const clientsPerProcess = 25;
const lowerBy = 5;

export function startClients(input: { count: number; servers: readonly SimulatedServer[]; seed: number; violations: Violations }): Clients {
  const { count, violations } = input;
  const targets: ClientTarget[] = input.servers.map(({ name, clientUrl, url, api }) => ({
    ...{ name, url: clientUrl, host: new URL(url).host },
    token: api.headers.authorization.replace(/^Bearer /, ""),
  }));
  const delays = new Samples();
  const reconnects = new Samples();
  const totals = { frames: 0, bytes: 0 };
  const last = new Map<ChildProcess, ClientReport>();
  const finished = new Map<ChildProcess, (checked: number) => void>();
  const sum = (read: (report: ClientReport) => number): number => [...last.values()].reduce((total, report) => total + read(report), 0);

  const children = Array.from({ length: Math.ceil(count / clientsPerProcess) }, (_, index) => {
    const child = fork(fileURLToPath(new URL("./client-program.ts", import.meta.url)), {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    // what a browser costs must not be taken from the servers
    if (child.pid !== undefined) setPriority(child.pid, Math.min(19, getPriority() + lowerBy));
    child.on("message", (report: ClientReport) => {
      last.set(child, report);
      totals.frames += report.frames;
      totals.bytes += report.bytes;
      for (const ms of report.delays) delays.add(ms);
      for (const ms of report.reconnects) reconnects.add(ms);
      for (const { invariant, detail, at } of report.violations) violations.add(invariant, detail, at);
      if (report.isFinished) finished.get(child)?.(report.checked);
    });
    child.on("exit", (code) => {
      if (code !== 0) violations.add("clients run", `a process of clients ended with ${code}`);
      finished.get(child)?.(0);
    });
    const first = index * clientsPerProcess;
    const order: ClientOrder = {
      ...{ type: "start", first, clients: Math.min(clientsPerProcess, count - first), targets, seed: input.seed + 10 + index },
      // each one parses everything
      auditors: index < 2 ? 1 : 0,
    };
    child.send(order);
    return child;
  });
  const send = (child: ChildProcess, order: ClientOrder): void => {
    if (child.connected) child.send(order);
  };

  return {
    pids: children.map(({ pid }) => pid ?? 0),
    delays,
    reconnects,
    get connected() {
      return sum(({ connected }) => connected);
    },
    get jumps() {
      return sum(({ jumps }) => jumps);
    },
    get frames() {
      return totals.frames;
    },
    get bytes() {
      return totals.bytes;
    },
    setTasks(ids) {
      for (const child of children) send(child, { type: "tasks", ids: [...ids] });
    },
    async finish(order) {
      const checks = children.map((child) => {
        const done = new Promise<number>((resolve) => finished.set(child, resolve));
        send(child, { type: "finish", ...order });
        return done;
      });
      return (await Promise.all(checks)).reduce((total, checked) => total + checked, 0);
    },
    end() {
      for (const child of children) if (child.connected) child.disconnect();
    },
  };
}
