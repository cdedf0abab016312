import type { MarkedKind } from '#shared/domain/marked-quotations.ts'

export type DialogKind = 'link' | 'button' | 'image' | 'video' | 'bookmark' | 'file' | 'audio' | 'help'

/** `title` has the caption and the size, see image-titles.ts. The still of a video has none. */
export type EditedImage = { alt: string; title: string | null; isVideo: boolean }

/** Actions of the toolbar and the dialogs on a text, as text or as source. */
export type WritingHandle = {
  focus(): void
  /** Selected words, or those of the link around the cursor. */
  words(): string
  /** The address of the link around the cursor. */
  linkAddress(): string | null
  /** The selected picture. */
  image(): EditedImage | null
  run(tool: string): void
  insertLink(words: string, address: string): void
  removeLink(): void
  insertBlock(markdown: string): void
  insertQuotation(kind: MarkedKind): void
  setImage(image: EditedImage): void
}

/** Handlers that a text calls. */
export type WritingEvents = {
  onChange: (value: string) => void
  onOpen: (kind: DialogKind, files?: readonly File[]) => void
}

/** Images of a paste or drop. `any`: other files too, which the upload rejects in words. */
export const imagesOf = ({ files }: DataTransfer, { any = false } = {}): File[] =>
  [...files].filter(({ type }) => any || type.startsWith('image/'))
