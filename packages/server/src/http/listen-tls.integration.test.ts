import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listen } from "./listen.ts";
import { createTestHttp } from "./testing/test-http.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

function createCertificate(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), "skein-tls-"));
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  try {
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    const files = ["-keyout", keyFile, "-out", certFile];
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", ...subject, ...files],
      {
        stdio: "ignore",
      },
    );
    return { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.runIf(hasOpenssl)("listen with a certificate", () => {
  it("[X1] speaks TLS, and keeps checking the host", async () => {
    const tls = createCertificate();
    let port = 0;
    const http = createTestHttp({ allowedHosts: () => [`127.0.0.1:${port}`], secureCookie: true });
    const listener = await listen({ http, host: "127.0.0.1", port: 0, tls });
    port = listener.port;
    // the client derives the name it expects in the certificate from the host header: only the server is tested here
    const statusOf = async (headers: Record<string, string>) => {
      const sent = request(`https://127.0.0.1:${port}/api/health`, {
        ca: tls.cert,
        headers,
        agent: false,
        checkServerIdentity: () => undefined,
      }).end();
      const [response] = await once(sent, "response");
      response.resume();
      return response.statusCode;
    };
    expect([await statusOf({}), await statusOf({ host: `evil.example:${port}` })]).toEqual([200, 403]);
    await listener.close();
  });
});
