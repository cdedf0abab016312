/** Accents after decomposition. */
const accents = /[\u0300-\u036f]/g
// Character by character: whole words would end in another sigma.
const lowercase = (character: string) => (character === 'ς' ? 'σ' : character.toLowerCase())

/** Folds names and search terms so that İlker, ilker and ILKER are the same. `fold_name` in the database is the same rule. */
export const foldName = (text: string): string =>
  Array.from(text.normalize('NFKD').replaceAll(accents, ''), lowercase).join('')
