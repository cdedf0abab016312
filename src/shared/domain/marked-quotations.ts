/** Boxes beside the running text, written as `> [!TIP]` above a quotation, as on GitHub. */
export const calloutLabels = { note: 'Note', tip: 'Tip', warning: 'Warning' } as const
export type CalloutKind = keyof typeof calloutLabels

/** Texts for readers to copy, written the same way: a prompt for an assistant, or a message, reply or notes. */
export const copyLabels = { prompt: 'Prompt', copy: 'Text to copy' } as const
export type CopyKind = keyof typeof copyLabels

/** Reads what the first line turns a quotation into; null if it stays a quotation. The line is given without `>`. */
export function quotationKind(firstLine: string): CalloutKind | CopyKind | null {
  const [, word = ''] = /^\[!([a-z]+)\]\s*$/i.exec(firstLine) ?? []
  const kind = word.toLowerCase()
  return Object.hasOwn(calloutLabels, kind) || Object.hasOwn(copyLabels, kind) ? (kind as CalloutKind | CopyKind) : null
}

export const isCopyKind = (kind: string | null): kind is CopyKind => kind !== null && Object.hasOwn(copyLabels, kind)
