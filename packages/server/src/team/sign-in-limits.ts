import type { Storage, StorageTransaction } from "@skein/engine";
import { hashSecret } from "./hash-secret.ts";

const dayMs = 24 * 60 * 60 * 1000;
const longestBlockMs = 15 * 60 * 1000;
/** Failures without a block: an address may be that of a whole office. */
const free = { account: 5, address: 30 };

export interface SignInLimits {
  /**
   * Counts an attempt as a failure before it is made, so that parallel ones cannot avoid the limit. Returns how long to wait if it may
   * not be made now.
   */
  begin(attempt: { email: string; address: string }): Promise<{ waitMs: number }>;
  /** The attempt succeeded: the account starts over. */
  succeed(attempt: { email: string; address: string }): Promise<void>;
  /** For codes that need no account: invitations and the like. */
  beginFrom(address: string): Promise<{ waitMs: number }>;
  /** The code was valid: this attempt is not counted. */
  succeedFrom(address: string): Promise<void>;
}

/** Failed sign-ins per account and per address, with a block that doubles. Accounts that do not exist are counted as well. */
export function createSignInLimits({ storage, now }: { storage: Storage; now: () => number }): SignInLimits {
  const toSubjects = ({ email, address }: { email: string; address: string }) => [
    { subject: `account:${hashSecret(email)}`, free: free.account },
    ofAddress(address),
  ];

  const count = (subjects: readonly { subject: string; free: number }[]) =>
    storage.transaction(async (tx) => {
      const at = now();
      const known = [];
      for (const { subject, free } of subjects) {
        const limit = await tx.findSignInLimit({ subject });
        const isCurrent = limit !== undefined && limit.updatedAt > at - dayMs;
        known.push({ subject, free, failures: isCurrent ? limit.failures : 0, blockedUntil: isCurrent ? limit.blockedUntil : 0 });
      }
      const waitMs = Math.max(0, ...known.map(({ blockedUntil }) => blockedUntil - at));
      if (waitMs > 0) return { waitMs };
      for (const { subject, free, failures: before } of known) {
        const failures = before + 1;
        const blockMs = failures < free ? 0 : Math.min(longestBlockMs, 1000 * 2 ** Math.min(30, failures - free));
        await tx.putSignInLimit({ subject, failures, blockedUntil: at + blockMs, updatedAt: at });
      }
      return { waitMs: 0 };
    });

  return {
    begin: (attempt) => count(toSubjects(attempt)),
    beginFrom: (address) => count([ofAddress(address)]),
    succeed: (attempt) =>
      storage.transaction(async (tx) => {
        const [account] = toSubjects(attempt);
        if (account !== undefined) await tx.deleteSignInLimit({ subject: account.subject });
        await takeBack(tx, attempt.address);
      }),
    succeedFrom: (address) => storage.transaction((tx) => takeBack(tx, address)),
  };
}

/** Only this attempt: signing in to an own account does not reset guesses at others. */
async function takeBack(tx: StorageTransaction, address: string): Promise<void> {
  const limit = await tx.findSignInLimit({ subject: ofAddress(address).subject });
  if (limit === undefined) return;
  if (limit.failures <= 1) await tx.deleteSignInLimit({ subject: limit.subject });
  else await tx.putSignInLimit({ ...limit, failures: limit.failures - 1, blockedUntil: 0 });
}

/** Of an IPv6 address, the network counts: a home has 2^64 addresses. */
function ofAddress(address: string): { subject: string; free: number } {
  const network = address.includes(":") && !address.startsWith("::ffff:") ? toNetwork(address) : address;
  return { subject: `address:${network}`, free: free.address };
}

function toNetwork(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const zeros = address.includes("::") ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0") : [];
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
