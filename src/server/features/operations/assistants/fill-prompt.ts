import type { ListedPrompt } from '#shared/contracts/library/library.ts'
import { businessProfileCall } from '#shared/contracts/reader/business-profile.ts'
import { franchisorRulesCall } from '#shared/contracts/reader/franchisor-rules.ts'
import { valuesOfLocation } from '#shared/domain/business-profile.ts'
import { type ContentKind, type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import type { FranchiseTopic } from '#shared/domain/content-labels.ts'
import {
  type FillSources,
  filledText,
  fillPlaceholders,
  missingBlanks,
  suggestValue,
} from '#shared/domain/fill-placeholders.ts'
import { applyRules } from '#shared/domain/franchisor-rules.ts'
import { ruleTopicTexts, rulingAdvice } from '#shared/domain/rule-texts.ts'
import { variables } from '#shared/domain/variables.ts'
import { AppError } from '#shared/errors.ts'
import type { Assistant } from './assistant.ts'
import { findPrompt } from './read-item.ts'

/** What the person's rules say about an item; empty if none touches it. */
export async function rulingOf(
  { call }: Assistant,
  kind: ContentKind,
  touches: readonly FranchiseTopic[],
): Promise<string> {
  const { rules } = await call(franchisorRulesCall, {})
  const ruling = applyRules({ kind, touches }, Object.fromEntries(rules.map(({ topic, rule }) => [topic, rule])))
  if (!ruling) return ''
  return `${ruling.topics.map((topic) => ruleTopicTexts[topic].label).join(', ')}: ${rulingAdvice[ruling.rule]}`
}

/** Where blanks are filled in from: the named store, the profile, and earlier answers to the same prompt. */
export async function sourcesOf({ call }: Assistant, promptId: string, store: string | null) {
  const { values, locations, answers } = await call(businessProfileCall, {})
  const named = (name: string) => name.trim().toLowerCase()
  const location = store === null ? null : locations.find(({ name }) => named(name) === named(store))
  const stores = locations.map(({ name }) => name)
  if (location === undefined) {
    const known =
      stores.length > 0 ? `Your stores are: ${stores.join(', ')}` : 'You have no stores in your business profile'
    throw new AppError('location_not_found', { message: `There is no store “${store}”. ${known}` })
  }
  const sources: FillSources = {
    ...(location && { location: valuesOfLocation(location) }),
    profile: values,
    remembered: answers[promptId] ?? {},
  }
  return { sources, stores, locations }
}

export const blanksOf = ({ body }: Pick<ListedPrompt, 'body'>, sources: FillSources = {}) =>
  missingBlanks(fillPlaceholders(body, sources)).flatMap(({ key, placeholder }) =>
    key === null || !placeholder
      ? []
      : [
          {
            name: key,
            label: placeholder.hint ?? (placeholder.name ? variables[placeholder.name].label : key),
            suggestion: suggestValue(placeholder, sources),
          },
        ],
  )

export async function fillPrompt(
  assistant: Assistant,
  ref: ItemRef,
  store: string | null,
  answers: Readonly<Record<string, string>>,
) {
  if (ref.kind !== 'prompt') throw new AppError('validation_failed', { message: 'Use the id of a prompt' })
  const { prompt } = await findPrompt(assistant, ref.id)
  const { sources, stores } = await sourcesOf(assistant, prompt.id, store)
  const filled = { ...sources, typed: answers }
  return {
    title: prompt.title,
    text: filledText(fillPlaceholders(prompt.body, filled)),
    open: blanksOf(prompt, filled),
    checks: prompt.checks,
    rules: await rulingOf(assistant, 'prompt', prompt.touches),
    stores,
    url: assistant.link(itemPath(ref)),
  }
}
