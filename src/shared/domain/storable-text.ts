/** Breaks and separators of other programs, such as the line break in a slide's title. */
const separators = '\v\f\x1c\x1d\x1e\x1f'

/** Removes control characters and lone surrogates, which PostgreSQL, feeds and other XML can't contain. */
export const storableText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, (character) => (separators.includes(character) ? ' ' : ''))
