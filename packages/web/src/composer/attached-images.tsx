import type { ImagePart } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { BoundedImage } from "../ui/bounded-image.tsx";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

export function AttachedImages({ images, onRemove }: { images: readonly ImagePart[]; onRemove(index: number): void }) {
  const text = useTaskText();
  if (images.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be attached twice
        <li className="relative" key={index}>
          <BoundedImage alt={text.conversation.imageAlt} className="size-14 rounded-lg border border-line object-cover" image={image} />
          <IconButton
            className="-end-2 -top-2 absolute size-5! rounded-full! border border-line-strong bg-raised"
            label={text.composer.removeImage}
            onClick={() => onRemove(index)}
          >
            <Icon name="cross" size={10} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
