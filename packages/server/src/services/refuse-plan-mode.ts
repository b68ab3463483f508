import type { Attempt, PermissionMode } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { ServiceContext } from "./service-context.ts";

/** Throws if an agent has no plan mode: it would carry out at once what it should only propose. */
export function refusePlanMode(
  { agents: { adapters } }: Pick<ServiceContext, "agents">,
  { agent, permissionMode, sessionOptions }: Pick<Attempt, "agent" | "sessionOptions"> & { permissionMode: PermissionMode },
): void {
  if (permissionMode !== "plan") return;
  const adapter = adapters.get(agent);
  const support = adapter?.planSupport ?? "none";
  const isKnownToLack = support === "if-offered" && sessionOptions?.hasPlanMode === false;
  if (support !== "none" && !isKnownToLack) return;
  throw new ServiceError("invalid", { code: "no-plan-mode", agent: adapter?.name ?? agent });
}
