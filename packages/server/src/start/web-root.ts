import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { locateFolder } from "@skein/agents/locate-program";

/** The folder of the built web UI. */
export const defaultWebRoot = fileURLToPath(locateFolder(new URL("../../../web/dist", import.meta.url), "web"));

/** The page of HTML exports, without data; undefined if the web UI is not built. */
export function readExportPage(webRoot: string | null): Promise<string | undefined> {
  return readFile(join(webRoot ?? defaultWebRoot, "export-page.html"), "utf8").catch(() => undefined);
}
