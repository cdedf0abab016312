import { Link } from 'react-router'
import { StateRules } from '#client/features/reader/business-profile/state-rules.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { ItemChange, RunState, StateRuleGroup } from '#shared/contracts/library/item-notes.ts'
import { formatDay } from '#shared/domain/format.ts'

type ItemNotesProps = {
  run?: RunState | undefined
  rules?: readonly StateRuleGroup[] | undefined
  changes?: readonly ItemChange[] | undefined
  /** When the reader last opened the page with the item, on this device. */
  readOn?: string | null
}

/** Whether an item was tried, what changed in its tool, and the rules of the reader's states. */
export default function ItemNotes({ run, rules = [], changes = [], readOn = null }: ItemNotesProps) {
  const news = changes.filter(({ on }) => readOn !== null && on > readOn)
  return (
    <div className="print:hidden">
      {run && <RunLine run={run} />}
      {changes.length > 0 && (
        <Disclosure
          className="border-t border-line text-sm"
          defaultOpen={news.length > 0}
          summary={news.length > 0 ? `Watch: ${news.length} changed since you read this` : 'Watch: what changed'}
        >
          <ul className="pb-2">
            {changes.map(({ on, title, path }) => (
              <li key={path} className="py-1">
                <time dateTime={on} className="tabular-nums">
                  {formatDay(on)}
                </time>
                {news.some((each) => each.path === path) && ' (new)'}:{' '}
                <Link to={path} className="text-link">
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
      {rules.length > 0 && (
        <Disclosure className="border-t border-line" summary={<span className="text-sm">Rules in your states</span>}>
          <StateRules groups={rules} />
        </Disclosure>
      )}
    </div>
  )
}

function RunLine({ run: { isPrepared, tried } }: { run: RunState }) {
  return (
    <p className="flex min-h-11 flex-wrap items-center gap-x-2 border-t border-line text-sm text-muted">
      {tried
        ? `Tried ${formatDay(tried.on)} with ${tried.assistant}: ${tried.passed} of ${tried.total} as expected.`
        : 'Not yet tried.'}
      {(tried || isPrepared) && (
        <Link to="/portal/pages/test-runs" className="text-link inline-flex min-h-11 items-center">
          {tried ? 'Read the answers' : 'The five inputs'}
        </Link>
      )}
    </p>
  )
}
