#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  const { runCli } = await import("./run-cli.mjs");
  process.exitCode = await runCli(process.argv.slice(2));
} else {
  console.error(`skein needs Node 22.18 or newer; this is ${process.versions.node}. In the repository, use: npm run skein -- …`);
  process.exitCode = 1;
}
