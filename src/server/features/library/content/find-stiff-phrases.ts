import { proseLines, withoutCodeAndAddresses } from '#shared/domain/prose-lines.ts'

/** Wordings that no American editor would leave, each with what to do about it. */
const stiff: readonly [RegExp, string][] = [
  [/\bis no news\b/i, 'say what is normal and what isn’t'],
  [/\blies with\b/i, 'say who has it, or where it is filed'],
  [/\bhold (?:each|every|it|them|the)\b[^.]* against\b/i, 'write “compare … with”'],
  [/\bcomes? to (?:less|more) than\b/i, 'write “is worth” or “adds up to”'],
  [/\bkinds? of cover\b/i, 'write “types of insurance”'],
  [/\bas a rule\b/i, 'write “usually”'],
  [/\byear-end papers\b/i, 'write “year-end reports”'],
  [/\b(?:two|three|four|five|six|seven|eight|nine|ten) ticks\b/i, 'write “checks”, or say what to check'],
  [/\b(?:came|come|comes) by (?:a|an|the)\b/i, 'say who invited or sent them'],
  [/\bwould (?:one|the same) \w+ not\b|\bnor (?:is|are|does|do)\b/i, 'put the subject first'],
  [/\bamongst\b|\bwhilst\b|\bfortnight\b|\btill receipt\b|\bqueue up\b/i, 'use the American word'],
  [
    /\b(?:colour|favour|behaviour|labour|centre|cheque|licence|organis|recognis|cancell(?:ed|ing)\b)/i,
    'use American spelling',
  ],
]

/** Translated or British wording outside of prompts and code, by line. */
export const findStiffPhrases = (markdown: string): { line: number; phrase: string; advice: string }[] =>
  proseLines(markdown).flatMap(({ line, text, isQuoted }) =>
    isQuoted
      ? []
      : stiff.flatMap(([pattern, advice]) => {
          const phrase = pattern.exec(withoutCodeAndAddresses(text))?.[0]
          return phrase === undefined ? [] : [{ line, phrase, advice }]
        }),
  )
