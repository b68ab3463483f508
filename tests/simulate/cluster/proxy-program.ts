// TCP proxies in a process of their own, so that the simulation's measures do not wait for their bytes. Orders arrive as messages.
import { connect, createServer, type Socket } from "node:net";

/** `host`: the server accepts its own name only, and clients send the proxy's. */
export interface ProxyOrder {
  id: number;
  action: "open" | "cut" | "stall" | "restore";
  name: string;
  port?: number;
  rewritesHost?: boolean;
}

interface Proxy {
  sockets: Set<Socket>;
  state: "open" | "cut" | "stalled";
}

const proxies = new Map<string, Proxy>();

function open({ id, name, port = 0, rewritesHost }: ProxyOrder): void {
  const proxy: Proxy = { sockets: new Set(), state: "open" };
  proxies.set(name, proxy);
  const server = createServer((client) => {
    if (proxy.state === "cut") return void client.destroy();
    const target = connect(port, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      socket.setNoDelay(true);
      proxy.sockets.add(socket);
      socket.on("error", end).on("close", () => {
        proxy.sockets.delete(socket);
        end();
      });
      if (proxy.state === "stalled") socket.pause();
    }
    target.pipe(client);
    if (rewritesHost !== true) return void client.pipe(target);
    client.once("data", (head: Buffer) => {
      target.write(head.toString("latin1").replace(/^host: .*$/im, `host: 127.0.0.1:${port}`), "latin1");
      client.pipe(target);
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.({ id, port: typeof address === "object" ? address?.port : undefined });
  });
}

process.on("message", (order: ProxyOrder) => {
  if (order.action === "open") return open(order);
  const proxy = proxies.get(order.name);
  if (proxy === undefined) return process.send?.({ id: order.id });
  proxy.state = order.action === "restore" ? "open" : order.action === "cut" ? "cut" : "stalled";
  for (const socket of proxy.sockets) {
    if (order.action === "cut") socket.destroy();
    else if (order.action === "stall") socket.pause();
    else socket.resume();
  }
  return process.send?.({ id: order.id });
});
process.on("disconnect", () => process.exit(0));
