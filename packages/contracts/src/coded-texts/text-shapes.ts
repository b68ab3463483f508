import { z } from "zod";

/** The parameters of each text, by code. */
export type TextShapes = Readonly<Record<string, z.ZodRawShape>>;

/** A text as data: its code and its parameters. */
export type TextOf<Shapes extends TextShapes> = {
  [Code in keyof Shapes & string]: z.output<z.ZodObject<{ code: z.ZodLiteral<Code> } & Shapes[Code]>>;
}[keyof Shapes & string];

/** Builds the schema on first use: most programs that import it parse no texts. */
export function toTextSchema<Shapes extends TextShapes>(shapes: Shapes): z.ZodType<TextOf<Shapes>> {
  let schema: z.ZodType<TextOf<Shapes>> | undefined;
  return z.lazy(() => (schema ??= build(shapes)));
}

function build<Shapes extends TextShapes>(shapes: Shapes): z.ZodType<TextOf<Shapes>> {
  const [first, ...others] = Object.entries(shapes).map(([code, shape]) => z.object({ code: z.literal(code), ...shape }));
  if (first === undefined) throw new TypeError("a family of texts has at least one");
  return z.discriminatedUnion("code", [first, ...others]) as unknown as z.ZodType<TextOf<Shapes>>;
}

/** A parameter that is shown unchanged in every language. */
export const text = z.string();
/** A number of things, from 0. */
export const count = z.int().nonnegative();
/** Absent if unknown. */
export const maybeText = text.exactOptional();
/** Absent if unknown. */
export const maybeCount = count.exactOptional();

/** The first few names, and the number of further ones. */
export const names = { names: z.array(text), more: count };

/** How to log in to an agent: a command to run, what to enter there, a variable for a key. */
export const login = z.object({ command: maybeText, enter: maybeText, variable: maybeText }).exactOptional();
