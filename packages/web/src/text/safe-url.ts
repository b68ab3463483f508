/** A link may open http, https and mailto; anything else is shown as text. */
export function safeLink(url: string | null | undefined): string | null {
  if (!url) return null;
  try {
    const { protocol } = new URL(url);
    return protocol === "http:" || protocol === "https:" || protocol === "mailto:" ? url : null;
  } catch {
    return null;
  }
}

const imageData = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/** Only bitmaps that are in the page already: a remote image would report to its server that the transcript was read, SVG can carry script. */
export function parseImageUrl(url: string | null | undefined): { mediaType: string; data: string } | null {
  const [, mediaType, data] = imageData.exec(url ?? "") ?? [];
  return mediaType === undefined || data === undefined ? null : { mediaType, data: data.replace(/\s+/g, "") };
}

/** Null for what is not a bitmap. */
export function toImageUrl({ mediaType, data }: { mediaType: string; data: string }): string | null {
  const url = `data:${mediaType};base64,${data}`;
  return parseImageUrl(url) ? url : null;
}
