import type { JsonValue, ProviderLimit } from "@skein/contracts";
import { asObject, numberField, objectField, stringField } from "@skein/engine";
import { findProviderLimit } from "../failures/find-provider-limit.ts";
import type { JsonObject } from "../lines/parse-line.ts";

const dayMinutes = 24 * 60;

/**
 * The limit because of which a turn failed; undefined for other failures. Codex names it in the error, and the time in the last
 * `account/rateLimits/updated`.
 */
export function toCodexLimit(error: JsonObject | undefined, rateLimits: JsonValue): ProviderLimit | undefined {
  if (stringField(error, "codexErrorInfo") !== "usageLimitExceeded") return undefined;
  const windows = ["primary", "secondary"].flatMap((name) => objectField(asObject(rateLimits), name) ?? []);
  const reached = windows.filter((window) => (numberField(window, "usedPercent") ?? 0) >= 100);
  const resets = reached.flatMap((window) => numberField(window, "resetsAt") ?? []);
  // without figures, the text has the time
  if (resets.length === 0) {
    const said = findProviderLimit(stringField(error, "message") ?? "", { now: Date.now() });
    return { code: "plan-limit", resetsAt: said?.resetsAt ?? null, scope: said?.scope ?? "account" };
  }
  const minutes = Math.max(0, ...reached.map((window) => numberField(window, "windowDurationMins") ?? 0));
  return { code: "plan-limit", resetsAt: Math.max(...resets) * 1000, scope: minutes >= dayMinutes ? "week" : "session" };
}
