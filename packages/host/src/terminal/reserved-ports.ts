import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { type AttemptId, attemptIdSchema } from "@skein/contracts";
import { ServiceError } from "@skein/engine";

/** Not below: other programs' defaults. Not above 32767: systems give outgoing connections ports from there. */
const [firstPort, lastPort] = [20_000, 29_999];
const probeMs = 300;
const addresses = ["127.0.0.1", "::1"];

/** Ports that belong to attempts: a file per port, named after it, which contains the attempt. Two servers cannot reserve the same one. */
export interface ReservedPorts {
  /** Null if the attempt has none. */
  find(id: AttemptId): Promise<number | null>;
  /** The attempt's port; reserves a free one if it has none. Rejects with `no-free-port`. */
  reserve(id: AttemptId): Promise<number>;
  release(id: AttemptId): Promise<void>;
  listAttempts(): Promise<AttemptId[]>;
}

export function createReservedPorts(folder: string): ReservedPorts {
  const fileOf = (port: number): string => join(folder, String(port));

  async function list(): Promise<{ port: number; id: AttemptId }[]> {
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(
      names
        .filter((name) => /^\d+$/.test(name))
        .map(async (name) => {
          const id = attemptIdSchema.safeParse(await readFile(join(folder, name), "utf8").catch(() => ""));
          return id.success ? [{ port: Number(name), id: id.data }] : [];
        }),
    );
    return found.flat();
  }

  const find = async (id: AttemptId): Promise<number | null> => (await list()).find((one) => one.id === id)?.port ?? null;

  async function reserve(id: AttemptId): Promise<number> {
    const own = await find(id);
    if (own !== null) return own;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const count = lastPort - firstPort + 1;
    // from the id: two data dirs on one machine rarely want the same
    const start = hash(id) % count;
    for (let step = 0; step < count; step++) {
      const port = firstPort + ((start + step) % count);
      try {
        await writeFile(fileOf(port), id, { flag: "wx", mode: 0o600 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
        throw error;
      }
      if (await isFree(port)) return port;
      await rm(fileOf(port), { force: true });
    }
    throw new ServiceError("unavailable", { code: "no-free-port" });
  }

  return {
    find,
    reserve,
    async release(id) {
      for (const one of await list()) if (one.id === id) await rm(fileOf(one.port), { force: true });
    },
    listAttempts: async () => (await list()).map(({ id }) => id),
  };
}

function hash(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at++) value = (value * 31 + text.charCodeAt(at)) >>> 0;
  return value;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** Whether something accepts connections on a port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  const answers = await Promise.all(addresses.map((host) => accepts(port, host)));
  return answers.includes(true);
}

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const done = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.setTimeout(probeMs, () => done(false));
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
  });
}
