import type { startSandboxed } from "@skein/agents/sandbox";
import type { SandboxOrder } from "@skein/agents/sandbox-order";
import { ServiceError } from "@skein/engine";
import type { toSandboxOrder } from "./to-sandbox-order.ts";

/** A sandbox for programs of this process. */
export interface OpenedSandbox {
  order: SandboxOrder;
  start: typeof startSandboxed;
}

/** Rejects if this machine cannot run sandboxes. Loaded with the first one. */
export async function openSandbox(...[sandbox, place]: Parameters<typeof toSandboxOrder>): Promise<OpenedSandbox> {
  const { checkSandboxSupport } = await import("@skein/agents/sandbox-support");
  const support = await checkSandboxSupport();
  if (support.state !== "supported") throw new ServiceError("conflict", { code: "sandbox-unavailable", ...support });
  const { toSandboxOrder } = await import("./to-sandbox-order.ts");
  const { startSandboxed } = await import("@skein/agents/sandbox");
  return { order: await toSandboxOrder(sandbox, place), start: startSandboxed };
}
