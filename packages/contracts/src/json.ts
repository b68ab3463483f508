import { z } from "zod";

/** Anything that JSON can express. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** An object of JSON, such as the input of a tool. */
export type JsonObject = { [key: string]: JsonValue };

/** Anything that JSON.parse can return. Not validated recursively: a tool's input may be deeply nested and has already been parsed. */
export const jsonValueSchema = z.custom<JsonValue>((value) => value !== undefined);

/** Epoch milliseconds. */
export const timestampSchema = z.int().nonnegative();
