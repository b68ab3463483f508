import type { Usage } from "@skein/contracts";
import type { ModelEvent } from "@skein/engine";

export async function* endWithCost(events: AsyncIterable<ModelEvent>, price: (usage: Usage) => Usage): AsyncGenerator<ModelEvent> {
  for await (const event of events) yield event.type === "end" ? { ...event, usage: price(event.usage) } : event;
}
