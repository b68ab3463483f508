import { z } from "zod";

/** Anything that JSON can express. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/**
 * Anything that JSON.parse can return. The shape is not walked: a tool's input may be megabytes deep
 * and has already been through JSON.parse.
 */
export const jsonValueSchema = z.custom<JsonValue>((value) => value !== undefined);

/** Epoch milliseconds. */
export const timestampSchema = z.int().nonnegative();
