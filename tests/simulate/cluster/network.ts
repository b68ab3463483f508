import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ProxyOrder } from "./proxy-program.ts";

/** Connections between the parts of the cluster, which faults can cut (they end, new ones are refused) or stall (no byte passes). */
export interface Network {
  pid: number;
  /** Resolves with the proxy's port. */
  open(name: string, target: { port: number; rewritesHost?: boolean }): Promise<number>;
  cut(name: string): Promise<void>;
  stall(name: string): Promise<void>;
  restore(name: string): Promise<void>;
  close(): void;
}

export function startNetwork(): Network {
  const child = fork(fileURLToPath(new URL("./proxy-program.ts", import.meta.url)), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const waiting = new Map<number, (port: number | undefined) => void>();
  let orders = 0;
  child.on("message", (answer: { id: number; port?: number }) => {
    waiting.get(answer.id)?.(answer.port);
    waiting.delete(answer.id);
  });
  const order = (input: Omit<ProxyOrder, "id">): Promise<number | undefined> =>
    new Promise((resolve) => {
      const id = ++orders;
      waiting.set(id, resolve);
      if (child.connected) child.send({ id, ...input });
      else resolve(undefined);
    });
  return {
    pid: child.pid ?? 0,
    async open(name, target) {
      const port = await order({ action: "open", name, ...target });
      if (port === undefined) throw new Error(`The proxy ${name} has no port.`);
      return port;
    },
    cut: async (name) => void (await order({ action: "cut", name })),
    stall: async (name) => void (await order({ action: "stall", name })),
    restore: async (name) => void (await order({ action: "restore", name })),
    close: () => child.disconnect(),
  };
}
