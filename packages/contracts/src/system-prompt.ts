import { z } from "zod";

/** The user's own instructions at the start of every request (R5). Blank: none. */
export const systemPromptSchema = z.string().max(20_000);
