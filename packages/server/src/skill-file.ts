import { fileURLToPath } from "node:url";
import { locateFolder } from "@skein/agents/locate-program";

/** The skill that teaches agents to use Skein. */
export const skillFile: string = fileURLToPath(
  new URL("skein/SKILL.md", `${locateFolder(new URL("../../../skills", import.meta.url), "skills").href}/`),
);
