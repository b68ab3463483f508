/** The start of a command: of the line, or behind something that begins a new one. */
const start = String.raw`(?:^|[;&|(\x60\n]|\$\(|\b(?:sudo|doas|env|xargs|time|nohup|then|do|else)\s)\s*(?:\S*/)?`;

function command(pattern: string): RegExp {
  return new RegExp(start + pattern);
}

const dangers: readonly [RegExp, string][] = [
  [command(String.raw`(?:sudo|doas|su|pkexec)\b`), "It runs with the rights of another user, outside of every limit that Skein sets."],
  [
    command(String.raw`rm\s+(?:\S+\s+)*?(?:-[a-zA-Z]*[rR]|--recursive)`),
    "It deletes folders with everything in them, and that cannot be undone.",
  ],
  [
    /\b(?:curl|wget|fetch)\b[^\n;]*\|\s*(?:\S*\/)?(?:sudo\s+)?(?:ba|da|z|k|fi)?sh\b|\b(?:curl|wget)\b[^\n;]*\|\s*(?:sudo\s+)?(?:python|node|perl|ruby)/,
    "It runs a program that comes straight from the network.",
  ],
  [/(?:ba|da|z|k)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\(|`)\s*(?:curl|wget)\b/, "It runs a program that comes straight from the network."],
  [
    command(String.raw`git\s+(?:\S+\s+)*?push\b[^;&|\n]*(?:\s-[a-zA-Z]*f\b|\s--force|\s--delete\b|\s--mirror\b|\s\+\S)`),
    "It overwrites or deletes what others may already have fetched from the remote repository.",
  ],
  [
    command(String.raw`git\s+(?:\S+\s+)*?(?:reset\b[^;&|\n]*--hard|clean\b[^;&|\n]*\s-[a-zA-Z]*f|checkout\s+(?:--\s+)?\.(?:\s|$))`),
    "It throws away changes that are not committed.",
  ],
  [command(String.raw`dd\s[^;&|\n]*\bof=`), "It writes over a file or a disk byte by byte."],
  [command(String.raw`(?:mkfs(?:\.\w+)?|wipefs|fdisk|parted)\b`), "It makes or changes a file system; what was on the disk is lost."],
  [
    command(String.raw`(?:chmod|chown|chgrp)\s+(?:\S+\s+)*?(?:-[a-zA-Z]*R|--recursive)`),
    "It changes the rights or the owner of everything below a folder.",
  ],
  [/>\s*\/dev\/(?!null\b|stdout\b|stderr\b|tty\b|fd\/)/, "It writes straight to a device."],
  [command(String.raw`(?:shutdown|reboot|halt|poweroff)\b`), "It turns the machine off."],
  [/:\s*\(\s*\)\s*\{[^}]*\|\s*:?\s*&/, "It starts copies of itself without end."],
];

/**
 * Why a command deserves a second look, as a sentence for the person. A short list of well-known ways to lose work, not a
 * sandbox: a command that is not on it may be as harmful, which is why commands ask at all.
 */
export function findDanger(text: string): string | undefined {
  return dangers.find(([pattern]) => pattern.test(text))?.[1];
}
