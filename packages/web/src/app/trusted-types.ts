/** The part of the Trusted Types API that we use; TypeScript's DOM library lacks it. */
interface TrustedTypes {
  createPolicy(name: "default", rules: { createScriptURL(url: string): string }): unknown;
}

/**
 * The content security policy has the browser refuse plain strings wherever they could become script. This is the only policy it
 * accepts, and it lets through one thing: the address of a file of our own build, for a worker.
 */
export function allowOwnWorkers(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy("default", { createScriptURL: toOwnScript });
}

function toOwnScript(url: string): string {
  const { origin, pathname, href } = new URL(url, location.href);
  if (origin === location.origin && /^\/assets\/[\w.-]+\.js$/.test(pathname)) return href;
  throw new TypeError(`Not a script of this app: ${url}`);
}
