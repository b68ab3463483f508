import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { locateFolder } from "@skein/agents/locate-program";
import { z } from "zod";
import { type ExportColours, noColours } from "../exports/export-colours.ts";

/** The folder of the built web UI. */
export const defaultWebRoot = fileURLToPath(locateFolder(new URL("../../../web/dist", import.meta.url), "web"));

const coloursSchema = z.object({ words: z.record(z.string(), z.string()), grammars: z.record(z.string(), z.string()) });

/** What pages of HTML exports need to colour code. */
export async function readExportColours(webRoot: string | null): Promise<ExportColours> {
  const text = await readFile(join(webRoot ?? defaultWebRoot, "export-grammars.json"), "utf8").catch(() => undefined);
  return text === undefined ? noColours : coloursSchema.parse(JSON.parse(text));
}

/** The page of HTML exports, without data; undefined if the web UI is not built. */
export function readExportPage(webRoot: string | null): Promise<string | undefined> {
  return readFile(join(webRoot ?? defaultWebRoot, "export-page.html"), "utf8").catch(() => undefined);
}
