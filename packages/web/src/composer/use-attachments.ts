import type { ImagePart } from "@skein/contracts";
import { imageLimits } from "@skein/engine";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { maxImages, readImage } from "./read-image.ts";
import { readTextFile } from "./read-text-file.ts";

/** Attaches files to a message that the caller keeps: images are sent next to the text, texts within it. */
export function useAttachments(input: {
  images: readonly ImagePart[];
  readText(): string;
  onText(text: string): void;
  onImages(images: readonly ImagePart[]): void;
  /** Why something was left out; null when nothing was. */
  onProblem(problem: string | null): void;
}): (files: readonly File[]) => Promise<void> {
  const { badFile, largeImage } = useTaskText().taskPage.composer;
  const format = useFormats();
  const { images } = input;
  return async (files) => {
    const read = await Promise.all(
      files.map(async (file) => (file.type.startsWith("image/") ? { image: await readImage(file) } : { text: await readTextFile(file) })),
    );
    const good = read.flatMap(({ image }) => (image?.kind === "image" ? [image.image] : []));
    const large = read.map(({ image }) => image).find((image) => image?.kind === "too-large");
    const all = [...images, ...good].slice(0, maxImages);
    const texts = read.flatMap(({ text: quoted }) => quoted ?? []);
    input.onImages(all);
    if (texts.length > 0) input.onText([input.readText(), ...texts].filter(Boolean).join("\n"));
    if (large) input.onProblem(largeImage(format.number(large.width), format.number(large.height), format.number(imageLimits.agentEdge)));
    else input.onProblem(all.length - images.length + texts.length < read.length ? badFile : null);
  };
}
