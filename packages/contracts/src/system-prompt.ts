import { z } from "zod";

/** The user's own words in front of every request (R5). Blank: none. */
export const systemPromptSchema = z.string().max(20_000);
