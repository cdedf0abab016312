import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { createStoredChoice } from '#client/lib/stored-choice.ts'
import type { BusinessLocation } from '#shared/contracts/reader/business-profile.ts'
import {
  cleanText,
  isLocationVariable,
  isProfileVariable,
  maxAnswerLength,
  maxValueLength,
  type ProfileVariable,
  usualLocationVariables,
  type Values,
  valuesOfLocation,
} from '#shared/domain/business-profile.ts'
import {
  type FilledPart,
  type FillSources,
  filledText,
  fillPlaceholders,
  missingBlanks,
} from '#shared/domain/fill-placeholders.ts'
import type { ExampleOf } from '#shared/domain/placeholders.ts'
import { businessProfileQuery, rememberAnswers, saveValue } from './business-profile.api.ts'

const choice = createStoredChoice('front-counter:location')

export const chooseLocation = choice.choose

/** The location that prompts are filled in for on this device; null for the profile alone. */
function useChosenLocation(locations: readonly BusinessLocation[]): BusinessLocation | null {
  const id = choice.useChoice()
  return locations.find((location) => location.id === id) ?? null
}

type FillingOptions = {
  /** Names the prompt that answers are remembered for. */
  promptId: string
  /** With its placeholders as written. */
  body: string
  exampleOf?: ExampleOf
  /** False for prompts that may hold personal data: their answers stay on the page. */
  remembers: boolean
}

export type Filling = ReturnType<typeof useFilling>

/** A prompt whose blanks are filled in from the profile, the chosen location and the reader's answers. */
export function useFilling({ promptId, body, exampleOf, remembers }: FillingOptions) {
  const client = useQueryClient()
  const { data: profile } = useQuery(businessProfileQuery)
  const locations = profile?.locations ?? []
  const location = useChosenLocation(locations)
  const [typed, setTyped] = useState<Values>({})
  /** Typed and not remembered yet. */
  const unsent = useRef<Values>({})
  const [isEmptied, setEmptied] = useState(false)

  const known: FillSources = {
    location: location ? valuesOfLocation(location) : {},
    profile: profile?.values ?? {},
    remembered: profile?.answers[promptId] ?? {},
  }
  const sources: FillSources = isEmptied ? { typed } : { ...known, typed }
  const parts = fillPlaceholders(body, sources, exampleOf)
  const missing = missingBlanks(parts)
  const isKnown = ({ source }: FilledPart) => source === 'location' || source === 'profile'

  /** Where "Save to" leads for a blank; null if its text is only for this prompt. */
  function targetOf({ placeholder }: FilledPart): { name: ProfileVariable; isLocation: boolean } | null {
    const name = placeholder?.name
    if (!name || placeholder.hint !== null || !isProfileVariable(name)) return null
    const isUsual = usualLocationVariables.some((usual) => usual === name)
    const isLocation =
      Boolean(location?.mine) && isLocationVariable(name) && (isUsual || Boolean(location?.values[name]))
    return { name, isLocation }
  }

  return {
    parts,
    sources: known,
    missing,
    text: filledText(parts),
    /** The reader's list, one entry per line. */
    privateWords: profile?.values.private_words?.split('\n') ?? [],
    locations,
    location,
    isEmptied,
    remembers,
    /** True if anything could be emptied. */
    isFilled: parts.some(({ value }) => value !== null),
    targetOf,
    /** Fills in a blank while its answer is typed. An empty one makes it a blank again. */
    answer(part: FilledPart, text: string) {
      const { key, placeholder } = part
      if (key === null) return
      const value = cleanText(text, placeholder?.name ?? null).trim()
      setTyped(({ [key]: _, ...rest }) => (value ? { ...rest, [key]: value } : rest))
      const { [key]: _, ...others } = unsent.current
      // A value that replaces the profile's here is for this time only.
      const [saved] = fillPlaceholders(placeholder?.written ?? '', known)
      const isStorable = remembers && value.length <= maxAnswerLength && !(saved && isKnown(saved))
      unsent.current = isStorable ? { ...others, [key]: value } : others
    },
    /** Stores what was typed for the next visit. */
    remember() {
      const answers = unsent.current
      unsent.current = {}
      if (Object.keys(answers).length > 0) rememberAnswers(client, promptId, answers)
    },
    save(part: FilledPart, text: string) {
      const { key } = part
      const target = targetOf(part)
      const value = cleanText(text, target?.name ?? null).trim()
      if (key === null || !target || !value || value.length > maxValueLength) return
      setTyped(({ [key]: _, ...rest }) => (isEmptied ? { ...rest, [key]: value } : rest))
      const { [key]: _, ...others } = unsent.current
      unsent.current = others
      if (known.remembered?.[key]) rememberAnswers(client, promptId, { [key]: '' })
      saveValue(client, target.isLocation ? location : null, target.name, value)
    },
    /** Shows every blank empty, and forgets what was answered here. */
    reset() {
      const answers = Object.keys(known.remembered ?? {})
      if (answers.length > 0) rememberAnswers(client, promptId, Object.fromEntries(answers.map((key) => [key, ''])))
      unsent.current = {}
      setTyped({})
      setEmptied(true)
    },
    refill() {
      setEmptied(false)
    },
  }
}
