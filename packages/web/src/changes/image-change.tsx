import type { AttemptDiff, AttemptId, FileContent } from "@skein/contracts";
import { readImageHeader } from "@skein/engine";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { blobQuery } from "../api/attempt-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { allowImages } from "../ui/allow-images.ts";
import { BoundedImage } from "../ui/bounded-image.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";

type ChangedFile = AttemptDiff["files"][number];
type ImageContent = Extract<FileContent, { kind: "image" }>;

/** The image before and after, side by side where there is room. What is too large to be shown is offered as a file. */
export function ImageChange({ attemptId, file }: { attemptId: AttemptId; file: ChangedFile }) {
  const { changes: text } = useTaskText();
  const before = useSide(attemptId, file.oldPath ?? file.filePath, file.oldId);
  const after = useSide(attemptId, file.filePath, file.newId);
  const allowed = useMemo(() => {
    const images = [before.image, after.image].filter((image) => image !== null);
    return new Set(allowImages(images).flatMap(({ image, isAllowed }) => (isAllowed ? [image] : [])));
  }, [before.image, after.image]);
  return (
    <div className="grid @xl:grid-cols-2 gap-3 p-3">
      {file.oldId !== undefined && <Side allowed={allowed} label={text.before} side={before} />}
      {file.newId !== undefined && <Side allowed={allowed} label={text.after} side={after} />}
    </div>
  );
}

interface ImageSide {
  path: string;
  content: FileContent | undefined;
  image: ImageContent | null;
  error: Error | null;
}

function useSide(attemptId: AttemptId, path: string, blob: string | undefined): ImageSide {
  const { data, error } = useQuery({ ...blobQuery(attemptId, path, blob ?? ""), enabled: blob !== undefined });
  return { path, content: data, image: data?.kind === "image" ? data : null, error };
}

function Side({ label, side, allowed }: { label: string; side: ImageSide; allowed: ReadonlySet<ImageContent> }) {
  const text = useTaskText();
  const format = useFormats();
  const describe = useErrorText();
  const { content, image, error } = side;
  const header = useMemo(() => (image ? readImageHeader(image.data) : undefined), [image]);
  const facts = [
    header && text.tool.image.pixels(format.number(header.width), format.number(header.height)),
    content && format.bytes(content.size),
  ];
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 flex flex-wrap gap-x-2 text-ink-soft text-xs">
        <span className="font-medium">{label}</span>
        <span className="text-ink-faint tabular-nums">{facts.filter(Boolean).join(" · ")}</span>
      </figcaption>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {!content && !error && <Spinner className="text-ink-faint" />}
      {image && (
        <BoundedImage
          alt={text.app.labelled(label, side.path)}
          className="checkered h-auto max-h-96 w-auto max-w-full rounded border border-line object-contain"
          fileName={side.path}
          image={image}
          isAllowed={allowed.has(image)}
        />
      )}
      {content && !image && <p className="text-ink-faint text-sm">{text.tool.binary}</p>}
    </figure>
  );
}
