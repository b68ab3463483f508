/*
 * Follows the log in a directory to its end, as a server does, and prints a line after each commit. A test kills it midway.
 */
import { agentEnd, openCatchUp } from "../catch-up.fixture.ts";

const [directory = ""] = process.argv.slice(2);
const { storage, follow } = await openCatchUp(directory);
const follower = await follow(() => process.stdout.write("committed\n"));
await follower.finish(agentEnd);
await follower.close();
await storage.close();
