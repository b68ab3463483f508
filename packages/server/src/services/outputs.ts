import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { outputFolder } from "../data-dir/output-folder.ts";
import { missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

/** Finds full tool outputs that were too long to show. */
export function createOutputService({ storage, home }: ServiceContext): Pick<Services["executions"], "findOutput"> {
  return {
    async findOutput(id, name) {
      if ((await storage.read.findExecution({ id })) === undefined) missing("execution", id);
      // only a regular file directly in that folder: no paths, no links
      const path = join(outputFolder(home), id, name);
      const file = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name) ? await lstat(path).catch(() => undefined) : undefined;
      if (!file?.isFile()) return missing("output", name);
      return { path, size: file.size };
    },
  };
}
