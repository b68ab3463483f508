// A minimal Node HTTP server, the reference for Skein's start time.
import { createServer } from "node:http";

createServer((_request, response) => response.end("ok")).listen(Number(process.argv[2]), "127.0.0.1");
