/** Languages of the pages and messages for people without an account; English is the default. */
export const crewLanguages = ['en', 'es'] as const
export type CrewLanguage = (typeof crewLanguages)[number]
export const crewLanguageNames = { en: 'English', es: 'Español' } as const satisfies Record<CrewLanguage, string>

/**
 * The language of a page: the one chosen on it, else that of the link, else the first of the phone's that there is.
 * @param accepted the header Accept-Language
 */
export function chooseLanguage(chosen: string | undefined, ofLink: CrewLanguage | null, accepted = ''): CrewLanguage {
  const known = (language = '') => crewLanguages.find((each) => each === language.slice(0, 2).toLowerCase())
  const preferred = accepted
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .toSorted((a, b) => Number(b[1] ?? 1) - Number(a[1] ?? 1))
  return known(chosen) ?? ofLink ?? known(preferred.find(([language]) => known(language))?.[0]) ?? 'en'
}

export type TaskAnswerKind = 'done' | 'question'

/** Limits of a task link. */
export const maxTaskLinkDays = 180
export const maxCrewName = 60
export const maxTaskNumber = 40
export const maxTaskQuestion = 500
/** For each link. */
export const maxTaskQuestions = 20
/** Photos are deleted after this many days. */
export const taskPhotoDays = 90
