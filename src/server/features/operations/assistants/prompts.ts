import type { CompleteResult, GetPromptResult, ListPromptsResult, PromptArgument } from '@modelcontextprotocol/server'
import type { ListedPrompt } from '#shared/contracts/library/library.ts'
import { businessProfileCall } from '#shared/contracts/reader/business-profile.ts'
import { franchisorRulesCall } from '#shared/contracts/reader/franchisor-rules.ts'
import { isLocationVariable, isProfileVariable, valuesOfLocation } from '#shared/domain/business-profile.ts'
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
import { type VariableName, variables } from '#shared/domain/variables.ts'
import { AppError } from '#shared/errors.ts'
import { type Assistant, invalid, pageOf } from './assistant.ts'
import { orderedPacks } from './ordered-items.ts'
import { findPrompt, howToGet, isOpenTo, joined } from './read-item.ts'

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
async function sourcesOf({ call }: Assistant, promptId: string, store: string | null) {
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

const blanksOf = ({ body }: Pick<ListedPrompt, 'body'>, sources: FillSources = {}) =>
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

/** The argument that names a store. No blank has this name: a store's name is `store_name`. */
const storeArgument = 'store'

type Blank = ReturnType<typeof blanksOf>[number] & { argument: string }

/** The blanks of a prompt, with short names: clients show them, and some let people type them. */
function argumentsOf(body: string): Blank[] {
  const taken = new Set([storeArgument])
  return blanksOf({ body }).map((blank) => {
    const base = (/^[a-z][a-z0-9_]*(?=:|$)/.exec(blank.name)?.[0] ?? blank.name.toLowerCase())
      .replaceAll(/[^a-z0-9]+/g, '_')
      .slice(0, 40)
    let argument = base
    for (let number = 2; taken.has(argument); number += 1) argument = `${base}_${number}`
    taken.add(argument)
    return { ...blank, argument }
  })
}

const mayPrefill = ({ rights, hasAccess }: Assistant) => hasAccess && rights.has('business:read')

/** Every prompt of the packs in the person's order, with its blanks as arguments. */
export async function listPrompts(assistant: Assistant, cursor: string | undefined): Promise<ListPromptsResult> {
  const { packs } = await orderedPacks(assistant)
  const { items, nextCursor } = pageOf(
    packs.flatMap(({ prompts }) => prompts),
    cursor,
  )
  const known = mayPrefill(assistant) ? (await assistant.call(businessProfileCall, {})).values : {}
  const storeArguments: PromptArgument[] = mayPrefill(assistant)
    ? [{ name: storeArgument, description: 'One of your stores, which fills in what differs there', required: false }]
    : []
  return {
    prompts: items.map(({ id, title, when, body }) => ({
      name: id,
      title,
      description: when,
      arguments: [
        ...storeArguments,
        ...argumentsOf(body).map(({ argument, name, label }) => {
          const value = known[name as keyof typeof known]
          return {
            name: argument,
            description: value ? `${label}. Empty: “${value.slice(0, 100)}”` : label,
            required: false,
          }
        }),
      ],
    })),
    ...(nextCursor !== null && { nextCursor }),
  }
}

/** The prompt as the person would copy it, with their franchisor's rules and the check of the answer. */
export async function getPrompt(
  assistant: Assistant,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  if (!(await isOpenTo(assistant, { kind: 'prompt', id: name }))) {
    throw invalid(`Prompts aren’t open to you. ${howToGet(assistant)}`)
  }
  const { prompt } = await findPrompt(assistant, name)
  const blanks = argumentsOf(prompt.body)
  const unknown = Object.keys(given).find(
    (key) => key !== storeArgument && !blanks.some(({ argument }) => argument === key),
  )
  if (unknown !== undefined) throw invalid(`This prompt has no blank “${unknown.slice(0, 100)}”`)
  const typed = Object.fromEntries(
    blanks.flatMap(({ argument, name: key }) => (given[argument]?.trim() ? [[key, given[argument]]] : [])),
  )
  const filled = mayPrefill(assistant)
    ? await fillPrompt(assistant, { kind: 'prompt', id: prompt.id }, given[storeArgument] || null, typed)
    : { text: filledText(fillPlaceholders(prompt.body, { typed })), open: blanksOf(prompt, { typed }), rules: '' }
  const text = joined([
    filled.text,
    filled.rules && `My franchisor’s rules: ${filled.rules}`,
    filled.open.length > 0 &&
      `Ask me first about what is still in brackets: ${filled.open.map(({ label }) => label).join('; ')}.`,
    prompt.checks.length > 0 &&
      `Then go through this check of your answer with me:\n${prompt.checks.map((check) => `- ${check}`).join('\n')}`,
  ])
  return { description: prompt.when, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

/** Stores, and what the person entered for a blank before: in the profile, at a store, or in the same prompt. */
export async function completePrompt(
  assistant: Assistant,
  name: string,
  argument: { name: string; value: string },
  context: Readonly<Record<string, string>>,
): Promise<CompleteResult> {
  if (!mayPrefill(assistant)) return { completion: { values: [] } }
  const { prompt } = await findPrompt(assistant, name)
  const { stores, locations, sources } = await sourcesOf(assistant, prompt.id, null)
  const blank = argumentsOf(prompt.body).find((other) => other.argument === argument.name)
  const store = locations.find((location) => location.name === context[storeArgument])
  const variable = (blank?.name.split(':')[0] ?? '') as VariableName
  const values = [
    ...(argument.name === storeArgument || variable === 'store_name' ? stores : []),
    ...(isLocationVariable(variable) ? [store, ...locations].map((location) => location?.values[variable]) : []),
    isProfileVariable(variable) ? sources.profile?.[variable] : null,
    blank && sources.remembered?.[blank.name],
    blank?.suggestion,
    ...choicesOf(blank?.label ?? ''),
  ].filter((value) => typeof value === 'string' && value.toLowerCase().includes(argument.value.trim().toLowerCase()))
  const found = [...new Set(values as string[])]
  return { completion: { values: found.slice(0, 100), total: found.length, hasMore: found.length > 100 } }
}

/** "email, text or letter" are three choices; a hint that doesn't name any has none. */
const choicesOf = (label: string): string[] =>
  / or /.test(label) && label.length < 120
    ? label
        .split(/, | or /)
        .map((choice) => choice.trim())
        .filter(Boolean)
    : []
