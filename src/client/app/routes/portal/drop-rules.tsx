import { StateRules } from '#client/features/reader/business-profile/state-rules.tsx'
import type { StateRuleGroup } from '#shared/contracts/library/item-notes.ts'

/** Below a drop: the rules of the reader's states on its subjects. */
export default function DropRules({ groups }: { groups: readonly StateRuleGroup[] }) {
  return (
    <section aria-label="Rules in your states" className="mt-8 border-t border-line pt-5 print:hidden">
      <h2 className="display text-xl">Rules in your states</h2>
      <StateRules groups={groups} />
    </section>
  )
}
