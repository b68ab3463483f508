import { takeStart } from "@skein/engine";
import { z } from "zod";

const textSchema = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const outputSchema = z.looseObject({
  output_type: z.string().catch("output"),
  text: textSchema.optional().catch(undefined),
  data: z.record(z.string(), z.unknown()).optional().catch(undefined),
  ename: z.string().optional().catch(undefined),
  evalue: z.string().optional().catch(undefined),
});
const notebookSchema = z.looseObject({
  cells: z.array(
    z.looseObject({
      cell_type: z.string(),
      source: textSchema,
      outputs: z.array(outputSchema).optional().catch(undefined),
    }),
  ),
});

const maximumOutputLength = 4000;

/** A Jupyter notebook as text: a heading line for each cell, its outputs below it. Undefined if it is not one. */
export function toNotebookText(json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const notebook = notebookSchema.safeParse(value);
  if (!notebook.success) return undefined;
  const cells = notebook.data.cells.map((cell, index) => {
    const outputs = (cell.outputs ?? []).map(toOutputText).filter((text) => text !== "");
    const printed = outputs.length === 0 ? "" : `\n# %% output of ${index + 1}\n${outputs.join("\n")}`;
    return `# %% ${cell.cell_type} ${index + 1}\n${cell.source.replace(/\n$/, "")}${printed}`;
  });
  return cells.join("\n\n");
}

function toOutputText({ output_type: type, text, data, ename, evalue }: z.infer<typeof outputSchema>): string {
  const plain = textSchema.safeParse(data?.["text/plain"]).data;
  const others = Object.keys(data ?? {}).filter((name) => name !== "text/plain" && name !== "text/html");
  const said = type === "error" ? `${ename ?? "Error"}: ${evalue ?? ""}` : (text ?? plain ?? "");
  const cut = said.length > maximumOutputLength ? `${takeStart(said, maximumOutputLength)}… (output cut)` : said;
  return [cut.replace(/\n$/, ""), ...others.map((name) => `(${name}, not shown)`)].filter((line) => line !== "").join("\n");
}
