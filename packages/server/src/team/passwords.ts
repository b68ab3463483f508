import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 32 MiB per hash (2^15 × 8 × 128 bytes), three times in a row. */
const cost = { log2N: 15, r: 8, p: 3 };
const keyBytes = 32;
/** Each hash takes 32 MiB and a thread of the pool for about 200 ms. */
const atOnce = 2;
const mayWait = 20;

/** Too many passwords are being checked. */
export class PasswordsBusyError extends Error {
  override readonly name = "PasswordsBusyError";
}

export interface Passwords {
  /** `scrypt$<log2 N>$<r>$<p>$<salt>$<key>` */
  hash(password: string): Promise<string>;
  /** Takes the same time whether there is a hash or not. Rejects with `PasswordsBusyError` if too many are waiting. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];
  /** For users that do not exist, or have no password. */
  const noHash = { ...cost, salt: randomBytes(16), key: randomBytes(keyBytes) };

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mayWait) throw new PasswordsBusyError("too many passwords are being checked");
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(16);
      const key = await inTurn(() => derive(password, { ...cost, salt }));
      return ["scrypt", cost.log2N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
    },
    async verify(password, hash) {
      const stored = hash === null ? undefined : parseHash(hash);
      const expected = stored ?? noHash;
      const key = await inTurn(() => derive(password, expected));
      return timingSafeEqual(key, expected.key) && stored !== undefined;
    },
  };
}

interface ScryptInput {
  log2N: number;
  r: number;
  p: number;
  salt: Buffer;
}

function derive(password: string, { log2N, r, p, salt }: ScryptInput): Promise<Buffer> {
  const options = { N: 2 ** log2N, r, p, maxmem: 2 * 128 * 2 ** log2N * r };
  return new Promise((resolve, reject) => {
    // the same password may be typed in two Unicode forms
    scrypt(password.normalize("NFKC"), salt, keyBytes, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function parseHash(hash: string): (ScryptInput & { key: Buffer }) | undefined {
  const match = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash);
  if (match === null) return undefined;
  const [, log2N, r, p, salt = "", key = ""] = match;
  const parsed = {
    log2N: Number(log2N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64url"),
    key: Buffer.from(key, "base64url"),
  };
  return parsed.key.length === keyBytes ? parsed : undefined;
}
