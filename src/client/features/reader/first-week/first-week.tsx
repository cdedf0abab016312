import { useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { hideFirstWeek } from '#client/lib/item-marks.ts'
import { publication } from '#client/lib/publication.ts'
import { IconButton } from '#client/ui/button.tsx'
import type { FirstWeek, FirstWeekStep } from '#shared/contracts/reader/first-week.ts'
import { hasTab } from '#shared/domain/tabs.ts'
import { recordFirstWeek } from './record-first-week.ts'

const texts: Record<FirstWeekStep, { text: string; to: string }> = {
  preferences: { text: 'Answer a few questions', to: '/account/preferences' },
  'start-page': { text: 'Read the start page', to: '/portal/start-here' },
  copy: { text: 'Copy a prompt and use it', to: '/portal/prompt-packs' },
  business: { text: 'Fill in your business details, and prompts fill in themselves', to: '/account/business' },
  save: { text: 'Save something for later', to: '/portal/saved' },
  answer: {
    text: 'Tell us what worked',
    to: hasTab(publication, 'prompt-packs') ? '/portal/prompt-packs' : '/portal/value',
  },
}

/** The checklist of the first week. A step is checked by doing it. */
export function FirstWeekChecklist({ firstWeek: { steps } }: { firstWeek: NonNullable<FirstWeek> }) {
  const titleId = useId()
  const client = useQueryClient()
  const done = steps.filter((step) => step.done).length
  const handleDismiss = () => {
    hideFirstWeek(client)
    void recordFirstWeek('dismissed')
  }
  return (
    <section aria-labelledby={titleId} className="border-t-2 border-ink pt-3 print:hidden">
      <div className="flex items-center justify-between gap-3">
        <h2 id={titleId} className="display text-lg">
          Your first week
        </h2>
        <p className="ml-auto text-sm text-muted tabular-nums">
          {done} of {steps.length}
        </p>
        <IconButton icon={X} label="Dismiss the checklist" onClick={handleDismiss} className="-mr-3" />
      </div>
      <ol>
        {steps.map((one) => (
          <li key={one.step} className="border-t border-line">
            {one.done ? (
              <p className="flex min-h-11 items-center gap-3 py-1.5 text-sm leading-snug text-muted">
                <span className="grid size-5 shrink-0 place-items-center rounded-full bg-primary text-on-primary">
                  <Check aria-hidden className="size-3.5" strokeWidth={2.5} />
                </span>
                {texts[one.step].text}
                <span className="sr-only">, done</span>
              </p>
            ) : (
              <Link
                to={texts[one.step].to}
                className="group flex min-h-11 items-center gap-3 py-1.5 text-sm leading-snug font-medium"
              >
                <span aria-hidden className="size-5 shrink-0 rounded-full border border-line-strong" />
                <span className="group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
                  {texts[one.step].text}
                </span>
              </Link>
            )}
          </li>
        ))}
      </ol>
      {(publication.assistants === 'everyone' || publication.assistants === 'members') && (
        <p className="border-t border-line pt-2.5 text-sm text-muted">
          Your own assistant can find and read all of this for you.{' '}
          <Link to="/portal/assistants" className="text-link">
            Connect your assistant
          </Link>
        </p>
      )}
    </section>
  )
}
