import { createDocument } from '@mixmark-io/domino'
import { renderMarkdown } from '#server/features/library/content/render-markdown.ts'

const maxPhrases = 3
const maxPhraseWords = 8

/** Elements that no one reads. */
const unread = /<(script|style|template|noscript|head|title)\b[\s\S]*?<\/\1\s*>/gi
const inlineTags = /<\/?(?:abbr|b|code|del|em|i|mark|s|small|span|strong|sub|u|font|q|cite|kbd|var)\b[^<>]*>/gi

/** The text that readers see. */
function visibleText(html: string): string {
  // Blocks that touch each other are separate words.
  const spaced = html
    .replaceAll(unread, ' ')
    .replaceAll(inlineTags, '')
    .replaceAll(/<sup\b[^<>]*>([^<>]*[^\d\s<>][^<>]*)<\/sup>/gi, '$1')
    .replaceAll(/(?=<)|(?<=>)/g, ' ')
  return createDocument(`<body>${spaced}</body>`).body.textContent
}

/** Raised numbers stand for themselves. */
const wordsIn = (text: string): string[] =>
  text
    .replaceAll(/[⁰¹²³⁴-⁹]+/g, ' $& ')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Runs of words that `text` has and `other` lacks, in order. */
function missingPhrases(text: string, other: string): string[] {
  const left = new Map<string, number>()
  for (const word of wordsIn(other)) left.set(word, (left.get(word) ?? 0) + 1)
  const phrases: string[][] = []
  let isOpen = false
  for (const word of wordsIn(text)) {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    if (count > 0) {
      isOpen = false
      continue
    }
    if (!isOpen) phrases.push([])
    isOpen = true
    phrases.at(-1)?.push(word)
  }
  return phrases.map((words) => {
    const shown = words.slice(0, maxPhraseWords).join(' ')
    return words.length > maxPhraseWords ? `${shown} …` : shown
  })
}

const leftover = /(?:!?\[[^\]\n]{0,40}\]\([^)\n]{0,60}\)?|\*\*\S[^*\n]{0,40}\*\*|<\/?[a-z][\w-]*[^<>\n]{0,40}>)/gi

/**
 * Compares what readers saw at the source with what they will see here, and says what differs. Nothing is lost without a
 * note, and no Markdown is left as text.
 */
export function compareTexts(sourceHtml: string, markdown: string): string[] {
  const before = visibleText(sourceHtml)
  // Pictures are uploaded later.
  const html = renderMarkdown(markdown.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, ''))
  const after = visibleText(html)
  const lost = missingPhrases(before, after)
  const code = html.replaceAll(/<(pre|code|blockquote)\b[\s\S]*?<\/\1>/g, '')
  const shown = (visibleText(code).match(leftover) ?? []).filter((piece) => !before.includes(piece))
  return [
    ...(lost.length > 0 ? [`Left out: ${listed(lost)}`] : []),
    ...(shown.length > 0 ? [`Shown as text: ${listed(shown)}`] : []),
  ]
}

const listed = (phrases: readonly string[]) =>
  phrases
    .slice(0, maxPhrases)
    .map((phrase) => `“${phrase}”`)
    .join(', ') + (phrases.length > maxPhrases ? ` and ${phrases.length - maxPhrases} more` : '')
