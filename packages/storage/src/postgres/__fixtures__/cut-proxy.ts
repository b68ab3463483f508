import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A connection to a database that tests can cut. */
export interface CutProxy {
  /** The database through the proxy. */
  url: string;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  /** Cuts the connection at the next COMMIT: `before` it reaches the database, or `after`, when the client has not received its answer. */
  cutAtCommit(when: "before" | "after"): void;
  /** Cuts the connection before the next COMMIT, and everything else until `restore`. Resolves then. */
  cutBeforeCommit(): Promise<void>;
  close(): void;
}

const commitMessage = Buffer.from("COMMIT\0");

export async function openCutProxy(databaseUrl: string): Promise<CutProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let atCommit: "before" | "after" | undefined;
  let onCommit: (() => void) | undefined;
  const server = createServer((client) => {
    if (isCut) return client.destroy();
    const database = connect(Number(port), hostname);
    const end = (): void => {
      client.destroy();
      database.destroy();
    };
    let isSwallowing = false;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", end).on("close", end);
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (data) => {
      if (atCommit === undefined || !data.includes(commitMessage)) return void database.write(data);
      if (atCommit === "before") {
        end();
        onCommit?.();
      } else {
        isSwallowing = true;
        database.write(data);
      }
      atCommit = undefined;
      return undefined;
    });
    database.on("data", (data) => {
      if (isSwallowing) end();
      else client.write(data);
    });
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.port = String(typeof address === "object" ? address?.port : "");
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    restore() {
      isCut = false;
    },
    cutBeforeCommit: () =>
      new Promise((resolve) => {
        atCommit = "before";
        onCommit = () => {
          onCommit = undefined;
          cut();
          resolve();
        };
      }),
    cutAtCommit(when) {
      atCommit = when;
    },
    close() {
      cut();
      server.close();
    },
  };
}
