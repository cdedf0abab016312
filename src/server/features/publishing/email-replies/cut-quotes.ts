/** Lines by which mail programs begin what they quote, with everything after it. */
const quoteStarts: readonly RegExp[] = [
  /^\s*-{2,}\s*(original message|original appointment|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}\s*$/i,
  /^\s*_{10,}\s*$/,
  /^\s*begin forwarded message:\s*$/i,
]
/** "On Mon, Nov 2, 2026 at 9:00 AM Front Counter <…> wrote:", which may take two or three lines. */
const attribution =
  /^(on\b.{4,300}\bwrote|am\b.{4,300}\bschrieb.{0,200}|le\b.{4,300}\ba écrit|el\b.{4,300}\bescribió|il\b.{4,300}\bha scritto|op\b.{4,300}\bschreef.{0,200})\s*:$/i
const maxAttributionLines = 3
/** The patterns allow about 500 characters. Without a limit, long lines of such words take minutes. */
const maxAttributionLength = 1_000
/** "From: …" of Outlook, followed by another such line. */
const quotedFrom = /^\s*\*?(from|von|de|van|da)\*?\s*:\*?\s+\S/i
const quotedField = /^\s*\*?(sent|date|to|subject|gesendet|datum|an|envoyé|enviado|verzonden|inviato)\*?\s*:\*?\s+\S/i
const isQuoted = (line: string) => /^\s{0,3}>/.test(line)

/**
 * What someone wrote in a reply: without the email that it quotes, and without the signature below "-- ". Lines that they
 * wrote between or below lines with ">" stay.
 */
export function cutQuotes(text: string): string {
  const lines = text.split('\n')
  const kept: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (/^-- ?$/.test(line)) break
    if (quoteStarts.some((start) => start.test(line)) || isHeaderBlock(lines, at)) break
    const length = attributionLength(lines, at)
    if (length > 0) {
      const next = firstText(lines, at + length)
      // Without ">" the end of the quote is unknown.
      if (next === undefined || !isQuoted(next)) break
      at += length - 1
      continue
    }
    if (!isQuoted(line)) kept.push(line)
  }
  return kept
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function firstText(lines: readonly string[], from: number): string | undefined {
  for (let at = from; at < lines.length; at += 1) {
    if (lines[at]?.trim()) return lines[at]
  }
  return undefined
}

/** How many lines say who wrote what follows; 0 if the line at this place doesn't begin with that. */
function attributionLength(lines: readonly string[], at: number): number {
  for (let length = 1; length <= maxAttributionLines; length += 1) {
    const part = lines.slice(at, at + length)
    if (part.some((line) => line.trim() === '')) return 0
    const joined = part.join(' ').trim()
    if (joined.length > maxAttributionLength) return 0
    // It names the day, always with a number.
    if (joined.endsWith(':') && /\d/.test(joined) && attribution.test(joined)) return length
  }
  return 0
}

function isHeaderBlock(lines: readonly string[], at: number): boolean {
  return quotedFrom.test(lines[at] ?? '') && lines.slice(at + 1, at + 4).some((line) => quotedField.test(line))
}
