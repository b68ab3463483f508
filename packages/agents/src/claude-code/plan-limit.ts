import type { ProviderLimit } from "@skein/contracts";
import { numberField, stringField } from "@skein/engine/json-fields";
import type { JsonObject } from "../lines/parse-line.ts";

/** The windows that a plan counts; those of single models have other names. */
const windows: Readonly<Record<string, ProviderLimit["scope"]>> = { five_hour: "session", seven_day: "week" };

/** The `rate_limit_info` of a `rate_limit_event`. Null while the plan accepts requests. */
export function toPlanLimit(info: JsonObject | undefined): ProviderLimit | null {
  if (stringField(info, "status") !== "rejected") return null;
  const seconds = numberField(info, "resetsAt");
  const type = stringField(info, "rateLimitType") ?? "";
  const scope = Object.hasOwn(windows, type) ? (windows[type] ?? null) : type.startsWith("seven_day_") ? "model" : "account";
  return { code: "plan-limit", resetsAt: seconds === undefined ? null : seconds * 1000, scope };
}
