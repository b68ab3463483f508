import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { expect, it } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

/** Any that nobody uses at the moment: the public address has it before the server listens. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

it.runIf(hasOpenssl)(
  "[X1] commands on the machine of a server with a certificate use the address that the certificate is for",
  async () => {
    await using sandbox = createSandbox();
    mkdirSync(sandbox.home, { recursive: true, mode: 0o700 });
    const [cert, key] = [path.join(sandbox.home, "cert.pem"), path.join(sandbox.home, "key.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", ...subject];
    execFileSync("openssl", [...request, "-keyout", key, "-out", cert], { stdio: "ignore" });
    const port = await findFreePort();
    const files = ["--tls-cert", cert, "--tls-key", key];
    const address = ["--public-url", `https://localhost:${port}`, "--host", "0.0.0.0", "--port", String(port)];
    const server = sandbox.skein(["serve", ...address, ...files, "--no-open"]);
    await server.printed(/Open\s+https:/);

    // it knows nobody who has signed it
    const refused = await sandbox.skein(["workers"]).ended;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)") });
    expect(refused.stderr).toContain("NODE_EXTRA_CA_CERTS");
    const trusted = await sandbox.skein(["workers", "--json"], { environment: { NODE_EXTRA_CA_CERTS: cert } }).ended;
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("[]") });
  },
);
