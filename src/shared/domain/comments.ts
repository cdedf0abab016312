import { minuteMs } from './durations.ts'

/** Who reads and writes answers under drops. */
export const commentAudiences = {
  members: 'Members',
  readers: 'Members, and everyone with an account where the drop is open to everyone',
  off: 'No one',
} as const
export type CommentAudience = keyof typeof commentAudiences

export const maxCommentLength = 4_000
export const maxCommentLinks = 3
/** Per answer. */
export const maxReplies = 50
const editMs = 15 * minuteMs

/** When the author can no longer change the text. */
export const editableUntil = (createdAt: Date): Date => new Date(createdAt.getTime() + editMs)

type TalkFacts = {
  audience: CommentAudience
  /** Access to the portal, or a role that writes. */
  hasAccess: boolean
  isOpenDrop: boolean
}

export const mayTalk = ({ audience, hasAccess, isOpenDrop }: TalkFacts): boolean =>
  audience !== 'off' && (hasAccess || (audience === 'readers' && isOpenDrop))

/** Former members still read the answers under drops where they wrote one. */
export const mayReadTalk = (facts: TalkFacts, tookPart: boolean): boolean =>
  mayTalk(facts) || (facts.audience !== 'off' && tookPart)

/** What the author must fix in a text, or null. */
export const commentProblem = (text: string): string | null =>
  (text.match(/https?:\/\/|\bwww\./gi) ?? []).length > maxCommentLinks
    ? `Use at most ${maxCommentLinks} links in one answer.`
    : null

/** Cyrillic, Greek and other letters, digits and symbols that look like Latin letters. `l` and `i` count as one letter. */
const lookAlikes = new Map(
  'aаαɑ4@ bвьβ8 cсϲç dԁđ eеεёє3 gɡ9 hнһ iіιıїl1!|łӏ jјϳ kкκ mм nոηпν oоοσø0 pрρ qԛ rг sѕ5$ tтτ7+ uυцս wԝω xхχ× yуγ zᴢ2'
    .split(' ')
    .flatMap(([letter = '', ...others]) => others.map((other): [string, string] => [other, letter])),
)

/** Letters as runs: "sluuur" is s, i, u, r with the lengths 1, 1, 3, 1. */
type Skeleton = { letters: string; runs: number[] }

function skeletonOf(word: string): Skeleton {
  const found: Skeleton = { letters: '', runs: [] }
  for (const sign of word) {
    const letter = lookAlikes.get(sign) ?? (/\p{L}/u.test(sign) ? sign : '')
    if (letter === '') continue
    if (found.letters.at(-1) === letter) found.runs[found.runs.length - 1] = (found.runs.at(-1) ?? 0) + 1
    else {
      found.letters += letter
      found.runs.push(1)
    }
  }
  return found
}

/** Invisible characters, and letters without a shape. */
const invisible = /[\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]/gu
const fold = (text: string) => text.normalize('NFKD').replaceAll(invisible, '').toLowerCase()
const isNumber = (token: string) => /^[\d.,:;/%$€£+()-]*$/.test(token)

/** Letters in a row as one word. The first can be the word "a" or "I". */
const spellings = (letters: string) => (/^[ai]/.test(letters) ? [letters, letters.slice(1)] : [letters])

/** Each word as written, without punctuation around it, and split at punctuation. Single letters in a row are a word. */
function* wordsIn(text: string): Generator<string> {
  let spelled = ''
  for (const token of fold(text).split(/\s+/)) {
    const bare = token.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    if (bare.length === 1) {
      spelled += bare
      continue
    }
    if (spelled.length > 1) yield* spellings(spelled)
    spelled = ''
    yield token
    yield bare
    yield* bare.split(/[^\p{L}\p{N}]+/u)
  }
  if (spelled.length > 1) yield* spellings(spelled)
}

/**
 * Returns a function that finds the first blocked word of a text in linear time. Punctuation, look-alike letters, repeated
 * letters and invisible characters don't hide a word. A word that ends with `*` matches every word that starts with it.
 */
export function blockedWordFinder(words: readonly string[]): (text: string) => string | null {
  const blocked = words.flatMap((word) => {
    const skeleton = skeletonOf(fold(word))
    return skeleton.letters === '' ? [] : [{ word, ...skeleton, isBeginning: word.endsWith('*') }]
  })
  const byLetters = Map.groupBy(blocked, ({ letters }) => letters)
  const lengths = new Set(blocked.flatMap(({ letters, isBeginning }) => (isBeginning ? letters.length : [])))
  return (text) => {
    for (const token of wordsIn(text)) {
      if (isNumber(token)) continue
      const { letters, runs } = skeletonOf(token)
      for (const length of new Set([letters.length, ...lengths])) {
        const found = byLetters
          .get(letters.slice(0, length))
          ?.find(
            (each) =>
              (each.isBeginning || length === letters.length) &&
              each.runs.every((run, index) => (runs[index] ?? 0) >= run),
          )
        if (found) return found.word
      }
    }
    return null
  }
}
