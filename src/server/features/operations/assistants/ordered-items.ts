import { ownsItem } from '#server/features/billing/purchases/owned-items.ts'
import { listDrops } from '#server/features/publishing/public-pages/open-drops.ts'
import { weeklyDropsCall } from '#shared/contracts/library/issues.ts'
import { guidesCall, promptPacksCall, toolsCall } from '#shared/contracts/library/library.ts'
import { personalizeContentCall } from '#shared/contracts/reader/personalization.ts'
import { itemPath } from '#shared/domain/content-items.ts'
import { orderIssues, orderPromptCategories, orderPrompts } from '#shared/domain/order-by-focus.ts'
import { verticalsOf } from '#shared/domain/verticals.ts'
import { type Assistant, idOf } from './assistant.ts'
import { readReader } from './read-item.ts'

export const orderedKinds = ['drops', 'prompts', 'guides', 'tools'] as const

type OrderedItem = { id: string; title: string; about: string; path: string }
type Ordered = { items: OrderedItem[]; why: string[] }

const none: Ordered = { items: [], why: [] }

/** Items as the portal's tabs order them for the person; without a plan, the drops that everyone sees listed. */
export async function orderedItems(assistant: Assistant, kind: (typeof orderedKinds)[number]): Promise<Ordered> {
  const { call, hasAccess } = assistant
  if (!hasAccess && kind === 'drops') return openDrops(assistant)
  const isBuyer = !hasAccess && (await ownsItem(assistant.deps.database.db, assistant.who.userId))
  if (!hasAccess && (!isBuyer || kind === 'tools')) return none
  if (kind === 'drops') {
    const { issues } = await call(weeklyDropsCall, {})
    const { preferences, recommendations } = await call(personalizeContentCall, { contentType: 'weekly-drops' })
    return {
      items: orderIssues(issues, preferences.focusAreas).map(({ id, slug, title, preview }) => ({
        id: idOf({ kind: 'issue', id }),
        title,
        about: preview,
        path: itemPath({ kind: 'issue', id }, slug),
      })),
      why: recommendations.labels,
    }
  }
  if (kind === 'prompts') {
    const { packs, why } = await orderedPacks(assistant)
    const items = packs.flatMap(({ title, prompts }) =>
      prompts.map((prompt) => item('prompt', prompt.id, prompt.title, `${title}: ${prompt.when}`)),
    )
    return { items, why }
  }
  const items =
    kind === 'guides'
      ? (await call(guidesCall, {})).guides.map(({ id, title, description }) => item('guide', id, title, description))
      : (await call(toolsCall, {})).tools.map(({ id, name, verdict }) => item('tool', id, name, verdict))
  return { items, why: ['In the publisher’s order, the same for everyone'] }
}

/** Packs and their prompts as the page orders them; for someone without a plan, those that they bought. */
export async function orderedPacks(assistant: Assistant) {
  if (!assistant.hasAccess && !(await ownsItem(assistant.deps.database.db, assistant.who.userId))) {
    return { packs: [], why: [] }
  }
  const { categories } = await assistant.call(promptPacksCall, {})
  if (!assistant.hasAccess) return { packs: categories, why: [] }
  const { recommendations } = await assistant.call(personalizeContentCall, { contentType: 'prompt-packs' })
  const trade = verticalsOf((await readReader(assistant)).franchiseType)[0] ?? null
  const packs = orderPromptCategories(categories, recommendations.priorityCategories)
  return {
    packs: packs.map((pack) => ({ ...pack, prompts: orderPrompts(pack.prompts, trade) })),
    why: [...recommendations.labels, ...(trade === null ? [] : ['Prompts with an example of your trade come first'])],
  }
}

const item = (kind: 'prompt' | 'guide' | 'tool', id: string, title: string, about: string): OrderedItem => ({
  id: idOf({ kind, id }),
  title,
  about,
  path: itemPath({ kind, id }),
})

async function openDrops({ deps }: Assistant): Promise<Ordered> {
  const { drops } = await listDrops(deps.database.db, {}, 1)
  const items = drops.map(({ slug, title, preview }) => ({
    id: `drop:${slug}`,
    title,
    about: preview,
    path: `/drops/${slug}`,
  }))
  return { items, why: ['Newest first'] }
}
