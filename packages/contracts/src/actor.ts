import { z } from "zod";
import { userIdSchema } from "./ids.ts";

/**
 * The user who did something, with the name at that time. Absent where the server has no users, and for what the administrator of the
 * machine or Skein itself did.
 */
export const actorSchema = z.object({ id: userIdSchema, name: z.string() });
export type Actor = z.infer<typeof actorSchema>;
