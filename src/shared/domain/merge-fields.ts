import { formatList } from '#shared/domain/format.ts'
import { optionLabel, optionLabels, type Questions } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'

type About = {
  name: string | null
  email: string
  reader: Reader
  /** Values of the publisher's fields in words, by key. */
  fields?: Readonly<Record<string, string>> | undefined
}

/** Fields of the reader, as in {{first_name|there}}. The text after the bar is the fallback. */
const knownFields = {
  first_name: ({ name }: About) => oneLineName(name).split(' ')[0] ?? '',
  name: ({ name }: About) => oneLineName(name),
  email: ({ email }: About) => email,
  focus_areas: ({ reader }: About, publication: Questions) =>
    formatList(optionLabels(publication, 'focusAreas', reader.focusAreas)),
  ai_level: ({ reader }: About, publication: Questions) =>
    reader.aiLevel ? optionLabel(publication, 'aiLevel', reader.aiLevel).toLowerCase() : '',
  franchise_type: ({ reader }: About, publication: Questions) =>
    reader.franchiseType ? optionLabel(publication, 'franchiseType', reader.franchiseType) : '',
} as const

/** Fields of the publisher have a prefix, so that no name means two things: {{field.shop_size}}. */
const customPrefix = 'field.'
const customName = /^field\.[a-z0-9_]{1,60}$/

type FieldName = keyof typeof knownFields | `${typeof customPrefix}${string}`
const builtInNames = Object.keys(knownFields)

export const mergeFieldOf = (key: string) => `${customPrefix}${key}`

/** @param fieldKeys those of the publisher's fields */
export const mergeFieldNames = (fieldKeys: readonly string[]): string[] => [
  ...builtInNames,
  ...fieldKeys.map(mergeFieldOf),
]

export type MergeField = { name: FieldName; fallback: string }

export type WrittenField = {
  /** The source text. */
  written: string
  /** Start index in the text. */
  index: number
  name: string
  /** Null without a bar. */
  fallback: string | null
}

const pattern = /\{\{([^{}]*)\}\}/g

/** Finds all merge fields in a text, including unknown ones. */
export const findMergeFields = (text: string): WrittenField[] =>
  [...text.matchAll(pattern)].map(({ 0: written, 1: inside = '', index }) => {
    const [name = '', ...rest] = inside.split('|')
    return { written, index, name: name.trim(), fallback: rest.length > 0 ? rest.join('|').trim() : null }
  })

/** Without the publisher's fields, each name with their prefix counts. */
export const isKnownField = (name: string): name is FieldName =>
  Object.hasOwn(knownFields, name) || customName.test(name)

/** Replaces known merge fields; unknown ones stay unchanged. */
export const replaceMergeFields = (text: string, replacement: (field: MergeField) => string): string =>
  text.replace(pattern, (written) => {
    const [field] = findMergeFields(written)
    return field && isKnownField(field.name)
      ? replacement({ name: field.name, fallback: field.fallback ?? '' })
      : written
  })

/** The value of a field for a reader, or its fallback. */
export const fieldValue = (publication: Questions, { name, fallback }: MergeField, to: About): string =>
  (name in knownFields
    ? knownFields[name as keyof typeof knownFields](to, publication)
    : oneLine(to.fields?.[name.slice(customPrefix.length)] ?? '')) || fallback

/** Normalizes user input to one line: no control or bidi characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ue000-\uf8ff]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** A person’s name in one line, at most 120 characters. Accounts may have longer ones. */
export const oneLineName = (name: string | null): string =>
  oneLine(name ?? '')
    .slice(0, 120)
    .replace(/[\ud800-\udbff]$/, '')
