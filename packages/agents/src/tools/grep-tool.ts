import { stat } from "node:fs/promises";
import { z } from "zod";
import { folderPathSchema } from "./file-path-schema.ts";
import { spillText } from "./keep-output.ts";
import { searchByWalking } from "./search-by-walking.ts";
import type { SearchMatch } from "./search-match.ts";
import { findRipgrep, searchWithRipgrep } from "./search-with-ripgrep.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment } from "./tool.ts";

const shownMatches = 200;
const countedMatches = 10_000;

export function createGrepTool({ workspace, environment, spillDirectory }: ToolEnvironment): NativeTool {
  const ripgrep = findRipgrep(environment.PATH);
  return defineTool({
    name: "grep",
    access: "read",
    description:
      "Searches the content of files line by line with a regular expression; upper and lower case differ. " +
      "Every match is given as path:line: text. What .gitignore leaves out is not searched.",
    schema: z.strictObject({
      pattern: z.string().min(1).max(2000).describe("Regular expression"),
      path: folderPathSchema.describe("Folder or file to search in; everything when left out"),
      glob: z.string().min(1).max(1000).optional().describe("Only files whose name fits, for example *.ts"),
    }),
    async run({ pattern, path = ".", glob }, { signal, toolUseId }) {
      const start = await workspace.resolve(path);
      if (!start.exists) return failed(`${start.relative} does not exist.`);
      const matches: SearchMatch[] = [];
      let total = 0;
      const query = {
        pattern,
        glob,
        signal,
        onMatch(match: SearchMatch) {
          total++;
          matches.push(match);
          return total < countedMatches;
        },
      };
      const isFolder = (await stat(start.absolute)).isDirectory();
      const complaint = await (ripgrep !== undefined && isFolder
        ? searchWithRipgrep(ripgrep, workspace, start, query)
        : searchByWalking(workspace, { ...start, isFolder }, query));
      if (complaint !== undefined && total === 0) return failed(complaint);
      const lines = matches.map((match) => `${match.filePath}:${match.line}: ${match.text}`);
      const shown = lines.slice(0, shownMatches);
      if (total === 0) shown.push("(no matches)");
      if (complaint !== undefined) shown.push(`(${complaint})`);
      if (total > shownMatches) {
        const more = `${total >= countedMatches ? "more than " : ""}${total - shownMatches} further matches`;
        const file = spillText({ text: lines.join("\n"), toolUseId, spillDirectory });
        shown.push(`(${more}${file === undefined ? "" : `, all found are in ${file}`}; or use a narrower pattern, a path or a glob)`);
      }
      return {
        output: shown.join("\n"),
        state: "completed",
        structured: { matches: matches.slice(0, shownMatches).map((match) => ({ ...match })), total },
      };
    },
  });
}
