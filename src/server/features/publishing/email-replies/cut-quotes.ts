/** Lines by which mail programs begin what they quote, with everything after it. */
const quoteStarts: readonly RegExp[] = [
  /^\s*-{2,}\s*(original message|original appointment|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}\s*$/i,
  /^\s*_{10,}\s*$/,
  /^\s*begin forwarded message:\s*$/i,
]
/** "On Nov 2, 2026, Front Counter wrote:" without a time or address. In other languages, the date tells. */
const attribution =
  /^(on\b.{4,300}\bwrote|am\b.{4,300}\bschrieb.{0,200}|le\b.{4,300}\ba écrit|el\b.{4,300}\bescribió|il\b.{4,300}\bha scritto|op\b.{4,300}\bschreef.{0,200})\s*:$/i
const maxAttributionLines = 3
/** The patterns allow about 500 characters. Without a limit, long lines of such words take minutes. */
const maxAttributionLength = 1_000
/** "From: …" of Outlook, followed by other such lines: "*Sent:* …". */
const quotedFrom = /^\s*\*?(from|von|de|van|da|fra|från|od|lähettäjä|saatja|от|від)\*?\s*:\*?\s+\S/i
const field = /^\s*\*?\p{L}[\p{L}\p{M} .'’-]{0,30}\*?\s?[:：]\*?\s*\S/u
const quotedField = /^\s*\*?(sent|date|to|subject|gesendet|datum|an|envoyé|enviado|verzonden|inviato)\*?\s*:\*?\s+\S/i
const address = /[^\s<>@]@[^\s<>@]+\.[^\s<>@]/
const time = /(?<!\p{Nd})\p{Nd}{1,2}[:.h時时]\s?\p{Nd}{2}(?!\p{Nd})/u
/** A day with its year, and a time. */
const isDated = (text: string) => time.test(text) && (text.match(/\p{Nd}+/gu)?.length ?? 0) >= 4

/** What is compared with the email that was sent. */
const wordsOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
/** Shorter lines are in many emails by chance. */
const minSentLength = 16
/** Each is searched for in the whole email. */
const maxComparedLines = 1_000

/**
 * What someone wrote in a reply: without the email that it quotes, and without the signature below "-- ". Lines that they
 * wrote between or below quoted lines stay. Quoted are lines with ">", and at least two lines in a row of the email that
 * was sent, if it is given.
 */
export function cutQuotes(text: string, sent = ''): string {
  const lines = text.split('\n')
  const isQuoted = findQuoted(lines, wordsOf(sent))
  const kept: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (/^-- ?$/.test(line)) break
    if (quoteStarts.some((start) => start.test(line)) || isSeparator(lines, at) || isHeaderBlock(lines, at)) break
    const length = attributionLength(lines, at, isQuoted)
    if (length > 0) {
      const next = firstText(lines, at + length)
      // Without ">" the end of the quote is unknown.
      if (next === -1 || !isQuoted(next)) break
      at += length - 1
      continue
    }
    if (!isQuoted(at)) kept.push(line)
  }
  return kept
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function findQuoted(lines: readonly string[], sent: string): (at: number) => boolean {
  const places = sent === '' ? [] : lines.flatMap((line, at) => (line.trim() ? [at] : [])).slice(0, maxComparedLines)
  const isSent = places.map((at) => {
    const words = wordsOf(lines[at] ?? '')
    return words.length >= minSentLength && sent.includes(words)
  })
  const fromSent = new Set(places.filter((_, n) => isSent[n] && (isSent[n - 1] || isSent[n + 1])))
  return (at) => fromSent.has(at) || /^\s{0,3}>/.test(lines[at] ?? '')
}

/** The place of the next line with text, -1 if there is none. */
function firstText(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at += 1) {
    if (lines[at]?.trim()) return at
  }
  return -1
}

function nextTexts(lines: readonly string[], from: number, count: number): string[] {
  const texts: string[] = []
  for (let at = firstText(lines, from); at !== -1 && texts.length < count; at = firstText(lines, at + 1))
    texts.push((lines[at] ?? '').slice(0, maxAttributionLength))
  return texts
}

/** How many lines say who wrote what follows; 0 if the line at this place doesn't begin with that. */
function attributionLength(lines: readonly string[], at: number, isQuoted: (at: number) => boolean): number {
  if (isQuoted(at)) return 0
  for (let length = 1; length <= maxAttributionLines; length += 1) {
    const part = lines.slice(at, at + length)
    if (part.some((line) => line.trim() === '')) return 0
    const joined = part.join(' ').trim()
    if (joined.length > maxAttributionLength) return 0
    const isEnd = /[:：]$/.test(joined)
    // It names the day, always with a number.
    if (isEnd && /\d/.test(joined) && attribution.test(joined)) return length
    if (!isDated(joined)) continue
    const next = firstText(lines, at + length)
    const marks = [isEnd, address.test(joined), next !== -1 && isQuoted(next)].filter(Boolean)
    // What someone wrote in the line above isn't part of it.
    if (marks.length >= 2 && !isDated(part.slice(1).join(' '))) return length
  }
  return 0
}

/** Separators of some programs: "---- On Mon, 02 Nov 2026 09:00:00 … wrote ----", or words with the sender, date and others below. */
function isSeparator(lines: readonly string[], at: number): boolean {
  const line = lines[at]?.trim() ?? ''
  if (line.length > maxAttributionLength || !/^-{2,}[^-].*-{2,}$/.test(line)) return false
  const words = isDated(line) ? line : nextTexts(lines, at + 1, 4).join('\n')
  return isDated(words) && address.test(words)
}

function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (line.length > maxAttributionLength || !field.test(line)) return false
  const others = nextTexts(lines, at + 1, 4)
  const isField = others.map((other) => field.test(other))
  if (
    quotedFrom.test(line) &&
    others.slice(0, 3).some((other, n) => isField[n] && (quotedField.test(other) || isDated(other)))
  )
    return true
  return /[<[(].*@/.test(line) && isField[0] === true && isField[1] === true && others.slice(0, 3).some(isDated)
}
