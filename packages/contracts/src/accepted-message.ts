import { z } from "zod";
import { fromSingleToolMessage } from "./foreign-message.ts";
import { messageBodySchema } from "./message.ts";

/** A message body, in the form that is spoken or in one that other programs store a tool message in. */
export const acceptedBodySchema = z.preprocess(fromSingleToolMessage, messageBodySchema);
