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

const imageData = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/;

/** Only bitmaps that are in the page already: a remote image tells its server that the transcript was read, SVG can carry script. */
export function safeImage(url: string | null | undefined): string | null {
  return url && imageData.test(url) ? url : null;
}

export function toImageUrl(image: { mediaType: string; data: string }): string | null {
  return safeImage(`data:${image.mediaType};base64,${image.data}`);
}
