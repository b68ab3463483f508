import { missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { ExecutionService } from "./task-services.ts";

/** Finds full tool outputs that were too long to show. */
export function createOutputService({ storage, host }: ServiceContext): Pick<ExecutionService, "findOutput"> {
  return {
    async findOutput(id, name) {
      if ((await storage.read.findExecution({ id })) === undefined) missing("execution", id);
      const found = await host.executions.findOutput({ id, name });
      return found === null ? missing("output", name) : { ...found, read: () => host.executions.readOutput({ id, name }) };
    },
  };
}
