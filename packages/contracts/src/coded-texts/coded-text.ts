import { z } from "zod";
import { agentHintShapes } from "./agent-hint.ts";
import { approvalWarningShapes } from "./approval-warning.ts";
import { noticeTextShapes } from "./notice-text.ts";
import { problemTextShapes } from "./problem-text.ts";
import { type TextOf, toTextSchema } from "./text-shapes.ts";

/*
 * What Skein has to say, as data: `{ code, …parameters }`, one code per text. It is stored and sent as such; each client
 * formats it in its own language. Fields next to it (`content`, `reason`, `hint`, `detail`) hold the English text, for
 * programs, for search, and for clients that do not know the code.
 *
 * Texts are stored: a code keeps its meaning and its parameters for good. A parameter that is added later is optional.
 */

const shapes = { ...agentHintShapes, ...approvalWarningShapes, ...noticeTextShapes, ...problemTextShapes };

export const codedTextSchema = toTextSchema(shapes);
export type CodedText = TextOf<typeof shapes>;

/** A text of Skein as data, or what an agent, a provider or the user said, word for word. */
export const messageTextSchema = z.union([z.string(), codedTextSchema]);
export type MessageText = z.infer<typeof messageTextSchema>;

/** As a client reads it: a code of a newer release is left out, and the English text next to it is shown. */
export const storedTextSchema = codedTextSchema.optional().catch(undefined);
