/** Size of an image on readers' pages, besides its own. */
export const imageSizes = ['small', 'wide'] as const
export type ImageSize = (typeof imageSizes)[number]

export type ImageTitle = { caption: string; size: ImageSize | null }

/**
 * The title of an image in Markdown, `![alt](address "Caption {wide}")`: the caption, and the size in braces unless it's
 * the image's own. Other programs show both as a tooltip.
 */
export function parseImageTitle(title: string | null): ImageTitle {
  const [, caption = '', size] = /^(.*?)\s*\{(small|wide)\}\s*$/s.exec(title ?? '') ?? [null, title ?? '']
  return { caption: caption.trim(), size: (size as ImageSize | undefined) ?? null }
}

/** Null for an image without a caption in its own size. */
export const writeImageTitle = ({ caption, size }: ImageTitle): string | null =>
  [caption.trim(), size && `{${size}}`].filter(Boolean).join(' ') || null
