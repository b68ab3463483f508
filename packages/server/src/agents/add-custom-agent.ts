import { join } from "node:path";
import { changeConfigFile, toObject } from "../config/change-config-file.ts";
import { ConfigError } from "../config/load-config.ts";

/**
 * Adds a custom agent program to config.json. Only a user who can write that file can do this: there is no HTTP request for it (X7).
 * Throws `ConfigError` if the agent id exists or the new config would be invalid.
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
