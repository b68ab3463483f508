import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

/** Lists the executions that wait for a slot, and changes their order. */
export function createWaitingExecutionService({ slots }: ServiceContext): Services["waitingExecutions"] {
  return {
    list: () => slots.list(),
    async startNow(id) {
      await slots.startNow(id);
    },
    async move(id, before) {
      await slots.move(id, before);
      return slots.list();
    },
  };
}
