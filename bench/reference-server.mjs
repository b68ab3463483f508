// The least that a Node HTTP server can be: what starting Skein is compared with.
import { createServer } from "node:http";

createServer((_request, response) => response.end("ok")).listen(Number(process.argv[2]), "127.0.0.1");
