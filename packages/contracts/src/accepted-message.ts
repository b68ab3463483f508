import { z } from "zod";
import { fromSingleToolMessage } from "./foreign-message.ts";
import { messageBodySchema } from "./message.ts";

/** A message body, in Skein's form or in one that other programs use for tool messages. */
export const acceptedBodySchema = z.preprocess(fromSingleToolMessage, messageBodySchema);
