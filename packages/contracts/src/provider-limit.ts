import { z } from "zod";
import { timestampSchema } from "./json.ts";

/**
 * Why a provider accepts no more requests (L3). `plan-limit`: the usage that a subscription includes; `daily-quota`: the requests of a day;
 * `rate-limit`: requests or tokens in a shorter time; `overloaded`: the provider's own capacity.
 */
export const providerLimitCodeSchema = z.enum(["plan-limit", "daily-quota", "rate-limit", "overloaded"]);

/** What a limit counts: a session of some hours, a week, a day, one model, or everything. */
export const providerLimitScopeSchema = z.enum(["session", "week", "day", "model", "account"]);

/** A limit of a provider or a plan, as an agent reported it. */
export const providerLimitSchema = z.object({
  code: providerLimitCodeSchema,
  /** Null if the provider did not say. */
  resetsAt: timestampSchema.nullable(),
  scope: providerLimitScopeSchema.nullable(),
});
export type ProviderLimit = z.infer<typeof providerLimitSchema>;
