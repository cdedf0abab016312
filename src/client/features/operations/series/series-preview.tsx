import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MemberPicker, type PickedMember } from '#client/features/publishing/mailings/member-picker.tsx'
import { publication } from '#client/lib/publication.ts'
import { Section } from '#client/ui/section.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Series } from '#shared/contracts/operations/series.ts'
import { describeStep } from '#shared/domain/describe-series.ts'
import { seriesPreviewQuery } from './series.api.ts'
import { useStepNames } from './use-trigger-names.ts'

type SeriesPreviewProps = { series: Series; version: number; isSaved: boolean }

const outcomes: Readonly<Record<string, string>> = {
  sent: 'Gets',
  waited: 'Goes on after',
  matched: 'Matches',
  otherwise: 'Doesn’t match',
  skipped: 'Skips',
  done: 'Does',
}

/** Shows what one member would get, and when. */
export function SeriesPreview({ series, version, isSaved }: SeriesPreviewProps) {
  const [member, setMember] = useState<PickedMember | null>(null)
  const { data } = useQuery({
    ...seriesPreviewQuery(series.id, version, member?.id ?? ''),
    enabled: member !== null && isSaved,
  })
  const names = useStepNames(series.steps)
  const steps = new Map(series.steps.map((step) => [step.id, step]))
  return (
    <Section
      title="Preview"
      lede="What a member would get who enters now, if nothing about them changes. Each email has its own preview above."
    >
      <div className="max-w-md">
        <MemberPicker member={member} note={isSaved ? undefined : 'Save the series first.'} onPick={setMember} />
      </div>
      {member && data && isSaved && (
        <div className="mt-5">
          {data.leaves ? (
            <p>They would leave before the first step.</p>
          ) : (
            <ol className="max-w-3xl divide-y divide-line border-y border-line">
              {data.steps.map(({ stepId, outcome, at }) => {
                const step = steps.get(stepId)
                return (
                  <li key={stepId} className="flex flex-wrap justify-between gap-x-6 py-2.5">
                    <span className="min-w-0 [overflow-wrap:anywhere]">
                      <span className="text-muted">{outcomes[outcome]}</span>{' '}
                      {step && describeStep(publication, step, names)}
                    </span>
                    <Timestamp at={at} />
                  </li>
                )
              })}
            </ol>
          )}
        </div>
      )}
    </Section>
  )
}
