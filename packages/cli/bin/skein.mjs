#!/usr/bin/env node
import { onSupportedNode } from "./check-node.mjs";

await onSupportedNode(async (args) => (await import("./run-cli.mjs")).runCli(args), "In the repository, use: npm run skein -- …");
