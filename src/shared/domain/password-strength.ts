/** What somebody guesses first, whatever the list: stems, which a few digits around them do not save. */
const stems = [
  ...['password', 'passwort', 'passwd', 'letmein', 'welcome', 'iloveyou', 'sunshine', 'princess', 'monkey', 'dragon'],
  ...['football', 'baseball', 'superman', 'batman', 'starwars', 'pokemon', 'master', 'shadow', 'trustno', 'admin'],
  ...['login', 'secret', 'changeme', 'hello', 'freedom', 'whatever', 'summer', 'winter', 'spring', 'autumn'],
  ...['monday', 'friday', 'january', 'december', 'charlie', 'michael', 'jessica', 'ashley', 'daniel', 'jordan'],
  ...['test', 'guest', 'default', 'franchise', 'newsletter', 'business', 'qwerty', 'azerty', 'qwertz', 'asdf', 'zxcv'],
] as const
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
]

const standIns: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const plain = (text: string) => [...text.toLowerCase()].map((letter) => standIns[letter] ?? letter).join('')

/** Bits that each part is worth to somebody who guesses. Letters in long runs are words, and words are few. */
const bits = { personal: 2, stem: 8, repeat: 1, digit: 3.3, wordLetter: 2.6, letter: 4.7, other: 6 }
/** From these bits on the next score is reached. */
const steps = [20, 28, 42, 58]

export type PasswordStrength = {
  /** 0 falls at once, 1 soon, 2 is fair, 3 good, 4 strong. */
  score: 0 | 1 | 2 | 3 | 4
  /** What would help most; null when nothing needs to. */
  advice: string | null
}

const adviceFor = {
  personal: 'It contains part of your email address or words from our site, which attackers try first.',
  stem: 'It’s based on a very common password.',
  repeat: 'Repeated characters and keyboard patterns add little.',
  short: 'Make it longer. Three or four unrelated words are easy to remember and hard to guess.',
} as const

/**
 * A quick estimate for a form, and the measure of a server that refuses weak passwords. It knows no dictionary: the
 * server's list of common passwords is looked at besides.
 * @param personal what others know of the account: its address, the publication's words
 */
export function passwordStrength(password: string, personal: readonly string[] = []): PasswordStrength {
  const found = new Set<keyof typeof adviceFor>()
  let total = 0
  const take = (rest: string, words: readonly string[], kind: 'personal' | 'stem') => {
    let left = rest
    for (const word of words) {
      const at = plain(left).indexOf(plain(word))
      if (at < 0) continue
      found.add(kind)
      total += bits[kind]
      left = `${left.slice(0, at)}\n${left.slice(at + word.length)}`
    }
    return left
  }
  // Hostile lengths are cut; the policy refuses them anyway. Code units, so that positions fit their plain form.
  const shortened = [...password.slice(0, 100)].map(inOneUnit).join('')
  const rest = take(take(shortened, personalWords(personal), 'personal'), stems, 'stem')
  for (const run of rest.split('\n')) total += bitsOf(run, () => found.add('repeat'))

  const score = steps.filter((step) => total >= step).length as PasswordStrength['score']
  const reason = (['personal', 'stem', 'repeat'] as const).find((kind) => found.has(kind)) ?? 'short'
  return { score, advice: score >= 3 ? null : adviceFor[reason] }
}

/** A picture becomes a sign of its own, so that different ones are not taken for a repeat. */
const inOneUnit = (letter: string) =>
  letter.length > 1 ? String.fromCharCode(0xe000 + ((letter.codePointAt(0) ?? 0) % 0x1900)) : letter

/** Words of four letters and more; a top-level domain or a provider's name alone says nothing about a person. */
const personalWords = (personal: readonly string[]) =>
  [...new Set(personal.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)))]
    .filter((word) => word.length >= 4)
    .sort((a, b) => b.length - a.length)

function bitsOf(text: string, onRepeat: () => void): number {
  let total = 0
  let repeats = 0
  const letters = [...text.toLowerCase()]
  letters.forEach((letter, index) => {
    const before = letters[index - 1]
    if (before !== undefined && (before === letter || areNeighbours(before, letter))) {
      repeats += 1
      total += bits.repeat
    } else if (/\d/.test(letter)) total += bits.digit
    else if (/\p{L}/u.test(letter)) total += isInWord(letters, index) ? bits.wordLetter : bits.letter
    else total += bits.other
  })
  if (repeats >= 3) onRepeat()
  return total
}

const areNeighbours = (before: string, letter: string) =>
  rows.some((row) => row.includes(before + letter) || row.includes(letter + before))

/** Whether the letter stands in a run of at least four. */
function isInWord(letters: readonly string[], index: number): boolean {
  const isLetter = (at: number) => /\p{L}/u.test(letters[at] ?? '')
  let [from, to] = [index, index]
  while (isLetter(from - 1) && index - from < 4) from -= 1
  while (isLetter(to + 1) && to - index < 4) to += 1
  return to - from >= 3
}
