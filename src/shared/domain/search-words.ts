/** Longer words are cut: no one types them, and the index has a limit. */
const maxWordLength = 40

/** Marks of accents, after decomposition. */
const marks = /\p{M}/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = /^[\u0000-\u007f]*$/

/** Folds letters so that "Café" and "CAFE" are the same. */
export const foldLetters = (text: string): string =>
  // Plain text, nearly all of it, needs no decomposition.
  isAscii.test(text) ? text.toLowerCase() : text.normalize('NFKD').replaceAll(marks, '').toLowerCase()

/** Words of a text as the index has them: folded letters and digits, in order, with duplicates. */
export const searchWords = (text: string): string[] =>
  (foldLetters(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > maxWordLength ? [...word].slice(0, maxWordLength).join('') : word,
  )
