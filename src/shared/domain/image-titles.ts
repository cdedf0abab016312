/** Size of an image on readers' pages, besides its own. */
export const imageSizes = ['small', 'wide'] as const
export type ImageSize = (typeof imageSizes)[number]

export type ImageTitle = { caption: string; size: ImageSize | null }

/**
 * The title of an image in Markdown, `![alt](address "Caption {wide}")`: the caption, and the size in braces unless it's
 * the image's own. Other programs show both as a tooltip.
 */
export function parseImageTitle(title: string | null): ImageTitle {
  const text = (title ?? '').trim()
  const size = imageSizes.find((one) => text.endsWith(`{${one}}`)) ?? null
  return { caption: size ? text.slice(0, -size.length - 2).trim() : text, size }
}

/** Null for an image without a caption in its own size. */
export const writeImageTitle = ({ caption, size }: ImageTitle): string | null =>
  [caption.trim(), size && `{${size}}`].filter(Boolean).join(' ') || null
