const causes = [
  {
    pattern: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|network request/i,
    text: "The package registry cannot be reached. Check the network (and the proxy: HTTPS_PROXY, `npm config get registry`), then start again.",
  },
  { pattern: /ENOSPC/, text: "The disk is full. Free about 600 MB, then start again." },
  {
    pattern: /EACCES|EPERM|EROFS/,
    text: "A file or folder cannot be written. Make sure that this folder and npm's cache (`npm config get cache`) belong to you, then start again.",
  },
  {
    pattern: /E401|E403/,
    text: "The package registry refused access. Check `npm config get registry` and its credentials, then start again.",
  },
  {
    pattern: /E404|ETARGET|ENOVERSIONS/,
    text: "The package registry does not have a package that package-lock.json names. If `npm config get registry` is a mirror, it may be behind.",
  },
  { pattern: /EUSAGE/, text: "package-lock.json does not match the package.json files. Run `npm install` once and commit the lock file." },
  { pattern: /spawn npm ENOENT/, text: "npm was not found on PATH. It comes with Node.js: https://nodejs.org." },
];

/** The most likely cause, judged by npm's output, and what to do. */
export function explainInstallFailure(output) {
  const cause = causes.find(({ pattern }) => pattern.test(output));
  return cause?.text ?? "npm could not install the dependencies; its own message is above.";
}
