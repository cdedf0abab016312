import { type PromptCategory, sampleCount } from '#shared/contracts/library/library.ts'
import { orderPrompts } from '#shared/domain/order-by-focus.ts'
import { verticalsOf } from '#shared/domain/verticals.ts'

/** Of each category, the prompts that its page shows first to a reader with this franchise type. */
export function samplePrompts(categories: readonly PromptCategory[], franchiseType: string | null) {
  const trade = verticalsOf(franchiseType)[0] ?? null
  return {
    trade,
    categories: categories.map((category) => ({
      ...category,
      prompts: orderPrompts(category.prompts, trade).slice(0, sampleCount),
    })),
  }
}
