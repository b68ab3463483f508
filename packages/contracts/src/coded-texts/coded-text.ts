import { z } from "zod";
import { agentHintShapes } from "./agent-hint.ts";
import { approvalWarningShapes } from "./approval-warning.ts";
import { noticeTextShapes } from "./notice-text.ts";
import { problemTextShapes } from "./problem-text.ts";
import { repositoryTextShapes } from "./repository-text.ts";
import { type TextOf, toTextSchema } from "./text-shapes.ts";

/*
 * Texts as data: `{ code, …parameters }`, one code per text. They are stored and sent as such; each client formats them in
 * its own language. Fields next to it (`content`, `reason`, `hint`, `detail`) hold the English text, for
 * programs, for search, and for clients that do not know the code.
 *
 * Texts are stored: a code keeps its meaning and its parameters for good. A parameter that is added later is optional.
 */

const shapes = { ...agentHintShapes, ...approvalWarningShapes, ...noticeTextShapes, ...problemTextShapes, ...repositoryTextShapes };

/** Parses any coded text. */
export const codedTextSchema = toTextSchema(shapes);
/** Any text of Skein as data: a code with its parameters. */
export type CodedText = TextOf<typeof shapes>;

/** A text of Skein as data, or the words of an agent, a provider or the user, verbatim. */
export const messageTextSchema = z.union([z.string(), codedTextSchema]);
export type MessageText = z.infer<typeof messageTextSchema>;

/** Reads a stored text. A code of a newer release is dropped, and clients show the English text next to it. */
export const storedTextSchema = codedTextSchema.optional().catch(undefined);
