import { parse } from "yaml";

export interface Document {
  /** Only fields whose value is text, a number or a truth value. */
  fields: ReadonlyMap<string, string>;
  body: string;
}

const pattern = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The fields between the `---` lines at the start of a Markdown file. What is not valid YAML has no fields. */
export function parseFrontmatter(text: string): Document {
  const match = pattern.exec(text);
  if (match === null) return { fields: new Map(), body: text };
  return { fields: parseFields(match[1] ?? ""), body: text.slice(match[0].length) };
}

function parseFields(text: string): Map<string, string> {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0 });
    if (typeof value !== "object" || value === null) return new Map();
    return new Map(
      Object.entries(value).flatMap(([name, field]) =>
        ["string", "number", "boolean"].includes(typeof field) ? [[name, String(field)] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
