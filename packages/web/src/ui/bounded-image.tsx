import { canBeShown, type ImageHeader, readImageHeader } from "@skein/engine";
import { useMemo } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { toImageUrl } from "../text/safe-url.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { saveFile } from "./save-file.ts";

export interface BoundedImageProps {
  /** `data` is base64. */
  image: { mediaType: string; data: string };
  alt: string;
  className?: string;
  /** What it is called when it is downloaded. */
  fileName?: string | undefined;
  /** False where others of the same message already take what may be taken. */
  isAllowed?: boolean;
}

/**
 * Every image that an agent, a file or a user brought goes through here. Its size is read from its first bytes before a browser
 * sees it: a file of 31 kB can take a gigabyte when it is decoded (X19). What is too large, or no bitmap, is offered as a file.
 */
export function BoundedImage({ image, alt, className = "", fileName, isAllowed = true }: BoundedImageProps) {
  const header = useMemo(() => readImageHeader(image.data), [image.data]);
  const url = useMemo(() => toImageUrl(image), [image]);
  if (url && header && canBeShown(header) && isAllowed) {
    return <img alt={alt} className={className} decoding="async" height={header.height} loading="lazy" src={url} width={header.width} />;
  }
  return <Placeholder fileName={fileName ?? alt} header={header} image={image} />;
}

function Placeholder({ image, header, fileName }: { image: { data: string }; header: ImageHeader | undefined; fileName: string }) {
  const { image: text } = useTaskText().tool;
  const format = useFormats();
  const bytes = Math.floor((image.data.length * 3) / 4);
  const facts = [header && text.pixels(format.number(header.width), format.number(header.height)), format.bytes(bytes)]
    .filter(Boolean)
    .join(", ");
  return (
    <div
      className="flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken px-3 py-2 text-sm"
      data-image-placeholder
    >
      <Icon className="text-ink-faint" name="image" size={15} />
      <span>{header ? text.tooLarge : text.unreadable}</span>
      <span className="text-ink-faint tabular-nums">{facts}</span>
      <Button className="h-7" look="quiet" onClick={() => saveImage(fileName, image.data)}>
        {text.download}
      </Button>
    </div>
  );
}

/** As bytes of no type: a browser that opens the file does not run or draw it. */
function saveImage(name: string, data: string): void {
  try {
    const binary = atob(data.replace(/\s/g, ""));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    saveFile(new Blob([bytes], { type: "application/octet-stream" }), name.split("/").at(-1) || "image");
  } catch {
    // Not base64: there are no bytes to save.
    saveFile(new Blob([data], { type: "text/plain" }), "image.txt");
  }
}
