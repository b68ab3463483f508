export interface Document {
  /** Only strings, numbers and booleans. */
  fields: ReadonlyMap<string, string>;
  body: string;
}

const pattern = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The fields between the `---` lines at the start of a Markdown file. Invalid YAML has no fields. */
export async function parseFrontmatter(text: string): Promise<Document> {
  const match = pattern.exec(text);
  if (match === null) return { fields: new Map(), body: text };
  return { fields: await parseFields(match[1] ?? ""), body: text.slice(match[0].length) };
}

async function parseFields(text: string): Promise<Map<string, string>> {
  // Imported on first use: the server loads this module at its start.
  const { parse } = await import("yaml");
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
