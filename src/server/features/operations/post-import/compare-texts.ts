import { createDocument } from '@mixmark-io/domino'
import { renderMarkdown } from '#server/features/library/content/render-markdown.ts'
import { replaceImages } from '#shared/domain/markdown-images.ts'

const maxPhrases = 3
const maxPhraseWords = 8

/** Elements that no one reads. */
const unread = /<(script|style|template|noscript|head|title)\b/gi
const inlineTags = /<\/?(?:abbr|b|code|del|em|i|mark|s|small|span|strong|sub|u|font|q|cite|kbd|var)\b[^<>]*>/gi

/** Removes elements with what is in them. An end that isn't there is looked for once, as a text can have a million starts. */
function withoutElements(html: string, starts: RegExp): string {
  const pieces: string[] = []
  const unclosed = new Set<string>()
  let from = 0
  for (const { 0: start, 1: name = '', index } of html.matchAll(starts)) {
    if (index < from || unclosed.has(name.toLowerCase())) continue
    const end = new RegExp(`</${name}\\s*>`, 'gi')
    end.lastIndex = index + start.length
    if (end.test(html)) {
      pieces.push(html.slice(from, index), ' ')
      from = end.lastIndex
    } else unclosed.add(name.toLowerCase())
  }
  return pieces.join('') + html.slice(from)
}

/** The text that readers see. */
function visibleText(html: string): string {
  // Blocks that touch each other are separate words.
  const spaced = withoutElements(html, unread)
    .replaceAll(inlineTags, '')
    .replaceAll(/<sup\b[^<>]*>([^<>]*)<\/sup>/gi, (whole, raised: string) => (/[^\d\s]/.test(raised) ? raised : whole))
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
  const html = renderMarkdown(replaceImages(markdown, () => ''))
  const after = visibleText(html)
  const lost = missingPhrases(before, after)
  const prose = withoutElements(html, /<(pre|code|blockquote)\b/g)
  const shown = (visibleText(prose).match(leftover) ?? []).filter((piece) => !before.includes(piece))
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
