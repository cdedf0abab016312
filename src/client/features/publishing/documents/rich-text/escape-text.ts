/** How much of a text is escaped: nothing, what may be emphasis or code, or all that may be syntax. */
export type Escaping = 'none' | 'emphasis' | 'all'

const patterns = {
  emphasis: /[\\`*_~]|&(?=#|\w+;)/g,
  all: /[\\`*_~[\]<>!{}]|&(?=#|\w+;)/g,
}

export const escapeText = (text: string, escaping: Escaping): string =>
  escaping === 'none' ? text : text.replaceAll(patterns[escaping], '\\$&')

/** Numeric entities at both ends. An emphasis mark beside a letter may not count as one. */
export const encodeEnds = (text: string, atStart: boolean, atEnd: boolean): string => {
  const characters = [...text]
  const encode = (index: number) => {
    const character = characters[index]
    if (character && /[\p{L}\p{N}]/u.test(character)) characters[index] = `&#${character.codePointAt(0)};`
  }
  if (atStart) encode(0)
  if (atEnd) encode(characters.length - 1)
  return characters.join('')
}

/** A backslash where the start of a line would be read as a heading, list, quotation, rule, fence, table or definition. */
export function escapeLineStart(line: string, { isFirst, isQuoted }: { isFirst: boolean; isQuoted: boolean }): string {
  const number = /^(\d{1,9})([.)])(?=\s|$)/.exec(line)
  if (number) return `${number[1]}\\${line.slice(number[1]?.length)}`
  const isSyntax =
    /^(?:#{1,6}|[-+*])(?=\s|$)|^>|^~{3}|^`{3,}[^`]*$|^\[[^\]]*\]:|^([-*_])[ \t]*(?:\1[ \t]*){2,}$/.test(line) ||
    (!isFirst && /^(?:=+|-+)[ \t]*$|^[|:-][-:| \t]*$/.test(line)) ||
    (isFirst && /^<[a-z!/?]/i.test(line)) ||
    (isFirst && isQuoted && /^\[!\w+\]\s*$/.test(line))
  return isSyntax ? `\\${line}` : line
}
