import type { KnownSecret } from "@skein/engine";

/** A variable or setting with its value. */
export interface NamedSecret {
  name?: string | undefined;
  value: string;
}

const secretName = /(?:key|token|secret|password|passwd|passphrase|credentials?|auth(?:orization)?|cookie)$/i;
const urlPassword = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:]*:([^\s/@]+)@/i;
/** Shorter values are ordinary words. */
const minLength = 8;
/** Accounts of images and machines, which are words of texts as well. */
const commonUsers = new Set([
  ...["root", "user", "admin", "administrator", "guest", "node", "app", "dev", "developer", "ubuntu", "debian", "vscode", "runner"],
  ...["build", "builder", "agent", "worker", "server", "skein", "test", "home", "docker", "git", "www-data", "nobody", "system", "default"],
]);

/** The values of variables with a secret name, and the passwords of addresses in any variable. */
export function listNamedSecrets(variables: Readonly<Record<string, string | undefined>>): NamedSecret[] {
  return Object.entries(variables).flatMap(([name, value]): NamedSecret[] => {
    if (value === undefined) return [];
    const password = urlPassword.exec(value)?.[1];
    return [...(secretName.test(name) ? [{ name, value }] : []), ...(password === undefined ? [] : [{ name, value: decode(password) }])];
  });
}

/** Everything that is redacted by its value. */
export function toKnownSecrets(input: {
  secrets: readonly NamedSecret[];
  homes: readonly string[];
  userName: string | undefined;
  words: readonly string[];
}): KnownSecret[] {
  const secrets = new Map(input.secrets.filter(({ value }) => value.trim().length >= minLength).map((one) => [one.value.trim(), one.name]));
  const homes = [...new Set(input.homes.map((home) => home.replace(/[\\/]+$/, "")))].filter((home) => /[\\/]./.test(home));
  const { userName } = input;
  const isTelling = userName !== undefined && userName.length >= 3 && !commonUsers.has(userName.toLowerCase());
  return [
    ...[...secrets].map(([value, name]): KnownSecret => ({ kind: "environment-secret", value, name })),
    ...homes.map((value): KnownSecret => ({ kind: "home-path", value })),
    ...(isTelling ? [{ kind: "user-name", value: userName } satisfies KnownSecret] : []),
    ...input.words.map((value): KnownSecret => ({ kind: "own-word", value })),
  ];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
