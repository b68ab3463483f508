import { z } from "zod";
import { projectIdSchema } from "./ids.ts";
import { parseNetworkRule } from "./network-rule.ts";

/**
 * How the operating system confines an attempt's agent (L7). `workspace`: it can change the attempt's folder and temporary files only, and
 * connect to allowed addresses only.
 */
export const sandboxSchema = z.enum(["off", "workspace"]);
/** How the operating system confines an attempt's agent. */
export type Sandbox = z.infer<typeof sandboxSchema>;

/** A name or address that sandboxes may connect to; see `parseNetworkRule`. */
const networkRuleSchema = z
  .string()
  .trim()
  .max(300)
  .refine((rule) => parseNetworkRule(rule) !== undefined, {
    error: "must be a name like example.com or *.example.com, or an address with a port like 127.0.0.1:8080",
    params: { rule: "network-rule" },
  });

const networkRulesSchema = z.array(networkRuleSchema).max(200);

/** Settings of sandboxes. */
export const sandboxSettingsSchema = z.object({
  /** For new attempts. */
  default: sandboxSchema,
  /** What sandboxes may connect to, besides the addresses that their agent needs. Applies from the next message. */
  hosts: networkRulesSchema,
  /** What sandboxes of one project's attempts may connect to, besides that. */
  perProject: z.record(projectIdSchema, z.object({ hosts: networkRulesSchema })),
});
export type SandboxSettings = z.infer<typeof sandboxSettingsSchema>;

/** Whether a machine can run sandboxes. */
export const sandboxSupportSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("supported") }),
  /** `system`: it is not Linux, or its processor is unknown. `not-installed`: bubblewrap is missing. */
  z.object({ state: z.enum(["system", "not-installed"]) }),
  /** The kernel or an administrator does not allow it; `detail` is what bubblewrap printed. */
  z.object({ state: z.literal("not-permitted"), detail: z.string() }),
]);
/** Whether a machine can run sandboxes. */
export type SandboxSupport = z.infer<typeof sandboxSupportSchema>;
