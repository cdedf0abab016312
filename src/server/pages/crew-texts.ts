import { IntlMessageFormat } from 'intl-messageformat'
import { formatDay } from '#shared/domain/format.ts'
import type { CrewLanguage } from '#shared/domain/task-links.ts'
import type { VariableName } from '#shared/domain/variables.ts'
import en from './crew-texts/en.json' with { type: 'json' }
import es from './crew-texts/es.json' with { type: 'json' }

export type CrewTextName = keyof typeof en.texts

type Catalog = { texts: Record<CrewTextName, string>; variables: Partial<Record<string, string>> }

/*
 * The catalog of the pages and messages for people without an account: ICU messages, one file for each language. English is
 * the original; a test compares the others with it. The English names of variables are in `variables.ts`.
 */
const catalogs: Record<CrewLanguage, Catalog> = { en, es }

/** Parsing a message takes longer than filling it in. */
const parsed = new Map<string, IntlMessageFormat>()

/** The texts in one language. Values are filled in as they are, so pages have to escape the result. */
export const crewTextsIn =
  (language: CrewLanguage) =>
  (name: CrewTextName, values: Record<string, string | number> = {}): string => {
    const key = `${language}.${name}`
    const message =
      parsed.get(key) ?? new IntlMessageFormat(catalogs[language].texts[name], language, {}, { ignoreTag: true })
    parsed.set(key, message)
    return String(message.format(values))
  }
export type CrewTexts = ReturnType<typeof crewTextsIn>

/** What a blank of a prompt is called; undefined for those that the language has no name for. */
export const variableLabel = (name: VariableName, language: CrewLanguage): string | undefined =>
  catalogs[language].variables[name]

/** "Nov 30, 2026" or "30 de nov de 2026" for a day such as "2026-11-30". */
export const dayIn = (language: CrewLanguage, day: string): string =>
  language === 'en'
    ? formatDay(day)
    : new Intl.DateTimeFormat(`${language}-US`, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** "Nov 30, 9:12 PM" in a time zone. */
export const timeIn = (language: CrewLanguage, at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(`${language}-US`, {
    ...{ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    timeZone,
  }).format(at)
