/** Boxes beside the running text, written as `> [!TIP]` above a quotation, as on GitHub. */
export const calloutLabels = { note: 'Note', tip: 'Tip', warning: 'Warning' } as const
export type CalloutKind = keyof typeof calloutLabels

/** Texts for readers to copy, written the same way: a prompt for an assistant, or a message, reply or notes. */
export const copyLabels = { prompt: 'Prompt', copy: 'Text to copy' } as const
export type CopyKind = keyof typeof copyLabels

/**
 * Parts of a text that are set in their own way, written the same way: its first paragraph opens a toggle, a gallery has images,
 * and a bookmark has the picture, title and line of a page.
 */
export const boxKinds = {
  toggle: { label: 'Toggle', tag: 'details' },
  gallery: { label: 'Gallery', tag: 'div' },
  bookmark: { label: 'Bookmark', tag: 'div' },
} as const
export type BoxKind = keyof typeof boxKinds

/** All of them, as editors choose them. */
export const quotationLabels = {
  ...{ ...copyLabels, ...calloutLabels },
  ...{ toggle: boxKinds.toggle.label, gallery: boxKinds.gallery.label, bookmark: boxKinds.bookmark.label },
} as const
export type MarkedKind = keyof typeof quotationLabels

/** Reads what the first line turns a quotation into; null if it stays a quotation. The line is given without `>`. */
export function quotationKind(firstLine: string): MarkedKind | null {
  const [, word = ''] = /^\[!([a-z]+)\]\s*$/i.exec(firstLine) ?? []
  const kind = word.toLowerCase()
  return Object.hasOwn(quotationLabels, kind) ? (kind as MarkedKind) : null
}

export const isCopyKind = (kind: string | null): kind is CopyKind => kind !== null && Object.hasOwn(copyLabels, kind)

export const isBoxKind = (kind: string | null): kind is BoxKind => kind !== null && Object.hasOwn(boxKinds, kind)
