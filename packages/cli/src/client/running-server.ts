import { readFile } from "node:fs/promises";
import path from "node:path";
import { healthSchema } from "@skein/contracts";
import { CliError } from "../cli-error.ts";

export interface ServerAddress {
  url: string;
  token: string;
}

const patienceMs = 2_000;

/**
 * The server of this data dir, if one responds. Its file may be left over from one that was killed. Throws a `CliError` if it has a
 * certificate that this program does not trust.
 */
export async function findRunningServer(home: string): Promise<ServerAddress | undefined> {
  const url = await readUrl(home);
  if (url === undefined || !(await answers(url))) return undefined;
  const token = await readFile(path.join(home, "token"), "utf8").catch(() => undefined);
  return token === undefined ? undefined : { url, token: token.trim() };
}

async function readUrl(home: string): Promise<string | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(path.join(home, "server.json"), "utf8"));
    const url = typeof record === "object" && record !== null && "url" in record ? record.url : undefined;
    return typeof url === "string" ? url : undefined;
  } catch {
    return undefined;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/health", url), { signal: AbortSignal.timeout(patienceMs) });
    return response.ok && healthSchema.safeParse(await response.json()).success;
  } catch (error) {
    if (isCertificateError(error))
      throw new CliError(`The certificate of the Skein server at ${url} is not trusted (${error.cause.code}).`, {
        hint: "Let NODE_EXTRA_CA_CERTS name the certificate of its authority, and --public-url an address that the certificate is for.",
        cause: error,
      });
    return false;
  }
}

const certificateCodes = /^(?:ERR_TLS_CERT_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;

/** As `fetch` reports it. */
function isCertificateError(error: unknown): error is Error & { cause: { code: string } } {
  if (!(error instanceof Error) || !(error.cause instanceof Error) || !("code" in error.cause)) return false;
  return typeof error.cause.code === "string" && certificateCodes.test(error.cause.code);
}
