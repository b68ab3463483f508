import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Paints text, or leaves it as it is. */
export type Paint = (format: Format, text: string) => string;

export const plain: Paint = (_format, text) => text;

const painted: Paint = (format, text) => styleText(format, text, { validateStream: false });

/** Colours on a terminal only, and not if the user has disabled them (https://no-color.org). */
export function choosePaint(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Paint {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb" ? painted : plain;
}
