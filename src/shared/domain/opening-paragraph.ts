import { replaceImages } from './markdown-images.ts'
import { markdownText } from './markdown-text.ts'

/** Start of anything that isn't a paragraph: heading, list, quote, table, code, image or block reference. */
const notText = /^(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|\||```|~~~|!\[|\{\{\s*block:|<)/
/** A button or a video: a link that is a paragraph of its own. */
const action = /^\[[^\n]*\]\([^()\n]* "(?:button|video)"\)$/

/** First paragraph of a Markdown text as plain text; null if it starts with something else. */
export function openingParagraph(markdown: string): string | null {
  const [first = ''] = markdown.trim().split(/\n\s*\n/)
  if (first === '' || notText.test(first) || action.test(first)) return null
  return (
    markdownText(replaceImages(first, () => ''))
      .replaceAll(/\s+/g, ' ')
      .trim() || null
  )
}
