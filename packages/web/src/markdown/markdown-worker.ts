import { serveWorker } from "../worker/serve-worker.ts";
import { parseMarkdown } from "./parse-markdown.ts";

serveWorker({ work: parseMarkdown });
