import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Deps } from '#server/feature.ts'
import type { Caller } from '#server/http/principal.ts'
import { type CallRequest, type Implementation, makeCall } from '#server/http/product-calls.ts'
import { checkSubscriptionCall } from '#shared/contracts/billing/subscription.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import { type Issue, weeklyDropCall, weeklyDropsCall } from '#shared/contracts/library/issues.ts'
import { type Guide, guidesCall, promptPacksCall, toolsCall } from '#shared/contracts/library/library.ts'
import { glossaryCall, methodCall, safetyCall, startHereCall } from '#shared/contracts/publishing/content-pages.ts'
import { teamAssignmentsCall } from '#shared/contracts/reader/assignments.ts'
import { businessProfileCall } from '#shared/contracts/reader/business-profile.ts'
import { franchisorRulesCall } from '#shared/contracts/reader/franchisor-rules.ts'
import { itemMarksCall } from '#shared/contracts/reader/item-marks.ts'
import type { OfflineAnswer } from '#shared/contracts/reader/offline.ts'
import { getPreferencesCall } from '#shared/contracts/reader/onboarding.ts'
import { personalizeContentCall } from '#shared/contracts/reader/personalization.ts'
import { collectionsCall, savedItemsCall } from '#shared/contracts/reader/saved.ts'
import { answerKey, offlineDropCount } from '#shared/domain/offline-library.ts'
import { AppError } from '#shared/errors.ts'

/** Content is the same for all readers, so a node reads it at most this often. */
const contentTtlMs = 60_000

const tabs = ['issues', 'prompts', 'guides', 'tools'] as const

/** Older drops are kept if they, or a section of theirs, are among the items saved last. */
const maxSavedItems = 50

/** Others are listed offline, but their items aren't. */
const maxCollections = 20

type Answer = Required<OfflineAnswer> & { key: string }
type Run = <C extends AnyCall>(call: C, input: z.input<C['input']>) => Promise<z.output<C['output']>>

/** Answers the calls of the portal's pages for one reader, each with a hash of its content as version. */
export function createReadLibrary({ clock }: Pick<Deps, 'clock'>, allCalls: () => readonly Implementation[]) {
  let content: { readAt: number; answers: Promise<Answer[]> } | null = null

  /** Failures aren't kept. */
  function readContent(run: Run): Promise<Answer[]> {
    const now = clock().getTime()
    if (content && Math.abs(now - content.readAt) < contentTtlMs) return content.answers
    const answers = contentAnswers(run)
    content = { readAt: now, answers }
    answers.catch(() => {
      content = null
    })
    return answers
  }

  return async (known: Record<string, string>, who: Caller, request: CallRequest) => {
    const run: Run = (call, input) => makeCall(allCalls(), call, input, who, { ...request, isDeviceSync: true })
    const contentOfAll = await readContent(run)
    const answers = [...contentOfAll, ...(await readerAnswers(run, contentOfAll))]
    return {
      answers: answers.map(({ key, name, input, version, output }) =>
        Object.hasOwn(known, key) && known[key] === version
          ? { name, input, version }
          : { name, input, version, output },
      ),
    }
  }
}

async function contentAnswers(run: Run): Promise<Answer[]> {
  const { issues } = await run(weeklyDropsCall, {})
  const { guides } = await run(guidesCall, {})
  const answers = await Promise.all([
    ...newest(issues).map(({ slug }) => answer(run, weeklyDropCall, { slug })),
    answer(run, promptPacksCall, {}),
    answer(run, toolsCall, {}),
    answer(run, startHereCall, {}),
    answer(run, glossaryCall, {}),
    answer(run, safetyCall, {}),
    answer(run, methodCall, {}),
  ])
  return [
    asAnswer(weeklyDropsCall.name, {}, { issues }),
    asAnswer(guidesCall.name, {}, { guides: guides.map(withoutPages) }),
    ...answers.flatMap((found) => found ?? []),
  ]
}

const newest = (issues: Issue[]) =>
  issues.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)).slice(0, offlineDropCount)

/** Links to page images belong to one reader and end after an hour or two. */
const withoutPages = (guide: Guide): Guide => ({ ...guide, pages: [] })

async function readerAnswers(run: Run, content: readonly Answer[]): Promise<Answer[]> {
  const { items } = await run(savedItemsCall, { limit: maxSavedItems })
  const { collections } = await run(collectionsCall, {})
  const drops = content.filter(({ name }) => name === weeklyDropCall.name)
  const kept = new Set(drops.map(({ input }) => String(input.slug)))
  const older = new Set(items.flatMap(({ path }) => slugOf(path) ?? []).filter((slug) => !kept.has(slug)))
  const answers = await Promise.all([
    ...[...older].map((slug) => answer(run, weeklyDropCall, { slug })),
    ...[...kept, ...older].map((slug) => answer(run, itemMarksCall, { scope: { kind: 'issue', slug } })),
    ...tabs.map((kind) => answer(run, itemMarksCall, { scope: { kind } })),
    answer(run, savedItemsCall, {}),
    asAnswer(collectionsCall.name, {}, { collections }),
    ...collections.slice(0, maxCollections).map(({ id }) => answer(run, savedItemsCall, { collectionId: id })),
    answer(run, teamAssignmentsCall, {}),
    answer(run, franchisorRulesCall, {}),
    answer(run, checkSubscriptionCall, {}),
    answer(run, getPreferencesCall, {}),
    answer(run, personalizeContentCall, { contentType: 'weekly-drops' }),
    answer(run, personalizeContentCall, { contentType: 'prompt-packs' }),
    answer(run, businessProfileCall, {}),
  ])
  return answers.flatMap((found) => found ?? [])
}

/** Issue of a saved drop or section; null for other items and removed ones. */
const slugOf = (path: string | null) => /^\/portal\/weekly-drops\/([^#/]+)/.exec(path ?? '')?.[1] ?? null

/** Null for an item that was unpublished meanwhile. */
async function answer<C extends AnyCall>(run: Run, call: C, input: z.input<C['input']>): Promise<Answer | null> {
  try {
    return asAnswer(call.name, (input ?? {}) as Record<string, unknown>, await run(call, input))
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  }
}

const asAnswer = (name: string, input: Record<string, unknown>, output: unknown): Answer => ({
  key: answerKey(name, input),
  name,
  input,
  output,
  version: createHash('sha256').update(JSON.stringify(output)).digest('base64url').slice(0, 22),
})
