/** Runs `main` if this Node can run Skein; otherwise prints what to do. Plain enough for old releases of Node. */
export async function onSupportedNode(main, hint) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) {
    process.exitCode = await main(process.argv.slice(2));
    return;
  }
  console.error(`skein needs Node 22.18 or newer; this is ${process.versions.node}. ${hint}`);
  process.exitCode = 1;
}
