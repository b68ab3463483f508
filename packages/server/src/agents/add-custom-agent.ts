import { join } from "node:path";
import { changeConfigFile, toObject } from "../config/change-config-file.ts";
import { ConfigError } from "../config/load-config.ts";

/**
 * Writes a program of the user's own to config.json. Only who may write that file can do this: there is no request for it (X7).
 * Throws `ConfigError` when there is an agent of this id, or when what would be written is not valid.
 */
export function addCustomAgent(
  home: string,
  agent: { id: string; name: string | undefined; command: readonly string[]; environment: Readonly<Record<string, string>> },
): void {
  const { id, name, command, environment } = agent;
  changeConfigFile(join(home, "config.json"), (file) => {
    const agents = toObject(file.agents);
    if (Object.hasOwn(agents, id)) throw new ConfigError(`There is an agent ${id} already. Remove it first: skein agents remove ${id}`);
    const added = {
      ...(name === undefined ? {} : { name }),
      command,
      ...(Object.keys(environment).length === 0 ? {} : { environment }),
    };
    return { ...file, agents: { ...agents, [id]: added } };
  });
}
