/** Start of anything that isn't a paragraph: heading, list, quote, table, code, image or block reference. */
const notText = /^(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|\||```|~~~|!\[|\{\{\s*block:|<)/
/** A button or a video: a link that is a paragraph of its own. */
const action = /^\[[^\n]*\]\([^()\n]* "(?:button|video)"\)$/

/** First paragraph of a Markdown text as plain text; null if it starts with something else. */
export function openingParagraph(markdown: string): string | null {
  const [first = ''] = markdown.trim().split(/\n\s*\n/)
  if (first === '' || notText.test(first) || action.test(first)) return null
  const plain = first
    .replaceAll(/\{\{[^{}|]*(?:\|([^{}]*))?\}\}/g, '$1')
    .replaceAll(/!\[[^[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '')
    .replaceAll(/\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain || null
}
