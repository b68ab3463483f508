import type { Attempt, PermissionMode } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { ServiceContext } from "./service-context.ts";

/** Throws where the plan mode is asked of an agent that has none: it would do at once what it was to propose. */
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
