/* Measures folders in a worker thread: see measure-thread.ts. */
import { serveRequests } from "../threads/serve-requests.ts";
import { measurePath } from "./measure-path.ts";
import type { MeasureRequest } from "./measure-thread.ts";

serveRequests<MeasureRequest, { bytes: number }>(async ({ path }) => ({ bytes: await measurePath(path) }));
