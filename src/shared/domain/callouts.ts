/** Boxes beside the running text, written as `> [!TIP]` above a quotation, as on GitHub. */
export const calloutLabels = { note: 'Note', tip: 'Tip', warning: 'Warning' } as const

export type CalloutKind = keyof typeof calloutLabels

/** The first line of a callout, without the quotation mark. */
export const calloutMarker = /^\[!(NOTE|TIP|WARNING)\]\s*$/i
