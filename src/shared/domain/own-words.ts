/** What the publisher calls one drop and several. `weekly`: true if "weekly" may stand before it. */
export type OwnWords = { drop: string; drops: string; weekly: boolean }

type Worded = { words: OwnWords }

export const ownWordDefaults: OwnWords = { drop: 'drop', drops: 'drops', weekly: true }

export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** Leaves an abbreviation as it is. */
const lowerFirst = (text: string) => (/^\p{Lu}\p{Lu}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))

/**
 * The words that go with the title of the list, where the publisher gave none: below "Weekly Recipes" is a recipe. A title
 * that isn't a plural, such as "Latest", lists issues.
 */
export function wordsOfTitle(title: string): OwnWords {
  const [head = ''] = title.trim().split(/ (?:of|from|for|by|to|in|on|and|with|about|&) |[,:;(–—]/)
  const drops = lowerFirst(head.trim().split(/\s+/).at(-1) ?? '')
  const drop = singularOf(drops)
  return {
    ...(drop === null ? { drop: 'issue', drops: 'issues' } : { drop, drops }),
    weekly: /\bweekly\b/i.test(title),
  }
}

function singularOf(plural: string): string | null {
  if (!/\p{L}{2}s$/iu.test(plural) || /(?:ss|us|is|news|series)$/i.test(plural)) return null
  if (/(?<!mov|cook|calor)ies$/i.test(plural)) return `${plural.slice(0, -3)}y`
  return plural.replace(/(?<=ch|sh|x|ss)es$|s$/i, '')
}

/** The usual plural of an English word. */
export function pluralOf(singular: string): string {
  if (/[^aeiou]y$/i.test(singular)) return `${singular.slice(0, -1)}ies`
  return `${singular}${/(?:ch|sh|x|z|s)$/i.test(singular) ? 'es' : 's'}`
}

/** A text of ours in the publisher's words: "New drop" becomes "New recipe", and "A weekly drop" "An issue". Quoted titles stay. */
export const inOwnWords = ({ words }: Worded, text: string): string =>
  text.replace(
    /“[^”]*”|(?<![-/\w])(an? )?(weekly )?(drop)(s?)(?![-\w])/gi,
    (match: string, article = '', weekly = '', noun = '', plural = '') => {
      if (!noun) return match
      const word = plural ? words.drops : words.drop
      const isUpper = noun.startsWith('D') || (!words.weekly && weekly.startsWith('W'))
      const phrase = (words.weekly ? weekly : '') + (isUpper ? upperFirst(word) : word)
      return article ? `${article[0]}${/^[aeiou]/i.test(phrase) ? 'n' : ''} ${phrase}` : phrase
    },
  )

/** Makes the tag of texts of ours. What is filled into them, such as a title, stays as it is. */
export const ownWordsOf =
  (publication: Worded) =>
  (texts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
    texts.map((text, at) => `${inOwnWords(publication, text)}${values[at] ?? ''}`).join('')
