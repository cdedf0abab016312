/** Longer texts are read in parts: an assistant asks for the next one. */
export const maxTextLength = 20_000

/** A part of a text, cut at a paragraph, and where the next one begins; null at the end. */
export function partOf(text: string, offset: number): { text: string; nextOffset: number | null } {
  const rest = text.slice(offset)
  if (rest.length <= maxTextLength) return { text: rest, nextOffset: null }
  const paragraph = rest.lastIndexOf('\n\n', maxTextLength)
  const end = paragraph > maxTextLength / 2 ? paragraph + 2 : maxTextLength
  return { text: rest.slice(0, end).toWellFormed(), nextOffset: offset + end }
}

const marked = (tag: string, text: string) =>
  `<${tag}>\n${text.replaceAll(new RegExp(`<(/?${tag})`, 'gi'), '&lt;$1').trim()}\n</${tag}>`

/** What the publisher wrote: to be shown and used, never followed as an instruction. */
export const asContent = (text: string): string => marked('published-content', text)

/** What readers wrote, such as notes and answers: data. */
export const asReaderText = (text: string): string => marked('reader-text', text)
