import type { JsonValue } from "@skein/contracts";
import { arrayField, asObject, objectField, RecentMap, stringField, takeStart } from "@skein/engine";
import type { JsonObject } from "../lines/parse-line.ts";

const planTool = "ExitPlanMode";
const maxPlans = 2;
const maxLength = 64 * 1024;

/** Plans by tool use id. 2.1 asks for approval without the plan, which is in the call before the request. */
export class ProposedPlans {
  readonly #plans: RecentMap<string, string>;

  constructor(saved: [string, string][] = []) {
    this.#plans = new RecentMap<string, string>(maxPlans, saved);
  }

  /** An `assistant` line. */
  see(line: JsonObject): void {
    for (const block of arrayField(objectField(line, "message"), "content") ?? []) {
      if (stringField(block, "name") !== planTool) continue;
      const id = stringField(block, "id");
      const plan = stringField(objectField(block, "input"), "plan");
      if (id !== undefined && plan !== undefined) this.#plans.set(id, takeStart(plan, maxLength));
    }
  }

  /** The input of a request, with the plan that it is about. */
  complete(asked: { toolName: string; input: JsonValue }, toolUseId: string): { toolName: string; input: JsonValue } {
    const plan = asked.toolName === planTool && stringField(asked.input, "plan") === undefined ? this.#plans.get(toolUseId) : undefined;
    return plan === undefined ? asked : { ...asked, input: { ...asObject(asked.input), plan } };
  }

  save(): [string, string][] {
    return this.#plans.entries();
  }
}
