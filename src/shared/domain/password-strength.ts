/** Base words of very common passwords; adding digits doesn't make them strong. */
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

const leetSpeak: Readonly<Record<string, string>> = {
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
const plain = (text: string) => [...text.toLowerCase()].map((letter) => leetSpeak[letter] ?? letter).join('')

/** Estimated bits of entropy per part. Letters within words count less. */
const bits = { personal: 2, stem: 8, repeat: 1, digit: 3.3, wordLetter: 2.6, letter: 4.7, other: 6 }
/** Minimum bits for scores 1 to 4. */
const thresholds = [20, 28, 42, 58]

export type PasswordStrength = {
  /** 0 very weak, 1 weak, 2 fair, 3 good, 4 strong. */
  score: 0 | 1 | 2 | 3 | 4
  /** The most useful improvement; null if the password is good. */
  advice: string | null
}

const adviceFor = {
  personal: 'It contains part of your email address or words from our site, which attackers try first.',
  stem: 'It’s based on a very common password.',
  repeat: 'Repeated characters and keyboard patterns add little.',
  short: 'Make it longer. Three or four unrelated words are easy to remember and hard to guess.',
} as const

/**
 * Estimates password strength, in the form and on the server. Uses no dictionary; the server also checks its list of
 * common passwords.
 * @param personal words an attacker knows: the email address, words of the publication
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
  // Caps the work for very long input. One code unit per character keeps positions aligned with the plain form.
  const shortened = [...password.slice(0, 100)].map(inOneUnit).join('')
  const rest = take(take(shortened, personalWords(personal), 'personal'), stems, 'stem')
  for (const run of rest.split('\n')) total += bitsOf(run, () => found.add('repeat'))

  const score = thresholds.filter((bits) => total >= bits).length as PasswordStrength['score']
  const reason = (['personal', 'stem', 'repeat'] as const).find((kind) => found.has(kind)) ?? 'short'
  return { score, advice: score >= 3 ? null : adviceFor[reason] }
}

/** Maps each emoji to a single code unit of its own, so that different ones don't count as a repeat. */
const inOneUnit = (letter: string) =>
  letter.length > 1 ? String.fromCharCode(0xe000 + ((letter.codePointAt(0) ?? 0) % 0x1900)) : letter

/** Words of at least four letters, longest first. */
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
    if (before !== undefined && (before === letter || areAdjacent(before, letter))) {
      repeats += 1
      total += bits.repeat
    } else if (/\d/.test(letter)) total += bits.digit
    else if (/\p{L}/u.test(letter)) total += isInWord(letters, index) ? bits.wordLetter : bits.letter
    else total += bits.other
  })
  if (repeats >= 3) onRepeat()
  return total
}

const areAdjacent = (before: string, letter: string) =>
  rows.some((row) => row.includes(before + letter) || row.includes(letter + before))

/** Returns true if the letter is part of at least four letters in a row. */
function isInWord(letters: readonly string[], index: number): boolean {
  const isLetter = (at: number) => /\p{L}/u.test(letters[at] ?? '')
  let [from, to] = [index, index]
  while (isLetter(from - 1) && index - from < 4) from -= 1
  while (isLetter(to + 1) && to - index < 4) to += 1
  return to - from >= 3
}
