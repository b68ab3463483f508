import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts secrets that are stored in the database, with a secret that is not. */
export interface Seal {
  close(text: string, context: string): string;
  /** Undefined if it was closed with another secret or context. */
  open(text: string, context: string): string | undefined;
}

/** AES-256-GCM; `context` is authenticated, so that a key cannot be moved to another owner. */
export function createSeal(secret: () => string, purpose = "skein owned keys"): Seal {
  let derived: Buffer | undefined;
  const key = (): Buffer => {
    derived ??= Buffer.from(hkdfSync("sha256", secret(), "", purpose, 32));
    return derived;
  };
  return {
    close(text: string, context: string): string {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key(), iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return ["v1", ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))].join(".");
    },
    open(text: string, context: string): string | undefined {
      const [version, ...parts] = text.split(".");
      const [iv, tag, sealed] = parts.map((part) => Buffer.from(part, "base64url"));
      if (version !== "v1" || iv === undefined || tag?.length !== 16 || sealed === undefined) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key(), iv).setAAD(Buffer.from(context)).setAuthTag(tag);
        return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
