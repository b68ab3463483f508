import { toHost } from "../link/connect-host.ts";
import { openLink } from "../link/open-link.ts";
import { serveHost } from "../link/serve-host.ts";
import type { Host } from "../port/host.ts";
import { createMemoryChannels } from "./memory-channels.ts";

/** A host at the other end of a link within this process: arguments, results and errors cross as they would to another machine. */
export function connectInMemory(local: Host): { host: Host; cut(): void } {
  const { ends, cut } = createMemoryChannels();
  serveHost({ host: local, channel: ends[1] });
  const link = openLink({ channel: ends[0], findHandler: () => undefined });
  const { environment, startsAtOnce } = local;
  return { host: toHost(link, { environment, startsAtOnce }), cut };
}
