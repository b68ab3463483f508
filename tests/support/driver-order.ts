import type { DriverOrder } from "@skein/agents/drivers";
import type { ExecutionId } from "@skein/contracts";

/** An order for the driver of a plain command, unless `change` names another one. */
export function newDriverOrder(change: Partial<DriverOrder> & Pick<DriverOrder, "command" | "directory">): DriverOrder {
  return {
    driver: "command",
    executionId: "exe_1" as ExecutionId,
    name: "Agent",
    message: "go",
    images: [],
    sessionId: null,
    transcript: null,
    model: null,
    permissionMode: "full",
    agentMode: null,
    grants: [],
    systemPrompts: [],
    trustsRepository: false,
    trustedFiles: [],
    options: null,
    ...change,
  };
}
