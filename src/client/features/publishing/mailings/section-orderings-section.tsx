import { useQuery } from '@tanstack/react-query'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { publication } from '#client/lib/publication.ts'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { adminSectionOrderingsCall, type SectionOrderings } from '#shared/contracts/publishing/mailing-preview.ts'
import { formatAll, formatNumber } from '#shared/domain/format-count.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'

/** For one version of the draft. */
const sectionOrderingsQuery = (id: string, version: number) =>
  alwaysStaleQuery(['admin-section-orderings', id, version], adminSectionOrderingsCall, { id })

/** How many section orderings there are, and which section each group of readers sees first. */
export function SectionOrderingsSection({ id, version }: { id: string; version: number }) {
  const { data, isError } = useQuery(sectionOrderingsQuery(id, version))
  return (
    <Section
      title="Section order"
      status={
        data &&
        data.sections > 0 &&
        `${formatNumber(data.orderings)} ${data.orderings === 1 ? 'order' : 'different orders'} for ${readers(data.readers)}`
      }
      lede="Every reader gets all sections, with those that match their business first."
    >
      {isError && <p className="text-muted">We couldn’t calculate the section order. Reload the page to try again.</p>}
      {!data && !isError && <SkeletonText lines={4} height="h-10" />}
      {data && (
        <>
          <p className="font-semibold">{completeness(data)}</p>
          {data.sections > 0 && data.groups.length > 0 && (
            <ScrollBox label="Groups of readers" className="mt-4 overflow-x-auto">
              <table className="w-full text-left text-sm">
                <caption className="sr-only">First section for each group of readers</caption>
                <thead>
                  <tr className="border-b-2 border-ink">
                    <th className="py-2 pr-6 font-semibold">Group</th>
                    <th className="py-2 pr-6 text-right font-semibold">Readers</th>
                    <th className="py-2 font-semibold">First section</th>
                  </tr>
                </thead>
                <tbody>
                  {data.groups.map((group) => (
                    <tr key={JSON.stringify(group.reader)} className="border-b border-line align-top">
                      <td className="py-2.5 pr-6">{readerText(group.reader)}</td>
                      <td className="py-2.5 pr-6 text-right tabular-nums">{formatNumber(group.readers)}</td>
                      <td className="py-2.5">
                        {group.first}
                        {group.reason && <span className="block text-muted">{group.reason}</span>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          )}
        </>
      )}
    </Section>
  )
}

function completeness({ readers: all, completeReaders: complete, sections }: SectionOrderings): string {
  if (sections === 0) return 'This email has no sections to order.'
  return complete === all
    ? `${all === 1 ? '1 reader gets' : `All ${readers(all)} get`} ${formatAll(sections, 'section')}.`
    : `${readers(all - complete)} would miss a section. Don’t send this mailing, and report the problem.`
}

function readerText({ focusAreas, aiLevel, franchiseType }: Reader): string {
  const words = [
    optionLabels(publication, 'focusAreas', focusAreas).join(', '),
    aiLevel && optionLabel(publication, 'aiLevel', aiLevel),
    franchiseType && optionLabel(publication, 'franchiseType', franchiseType),
  ]
  return words.filter(Boolean).join('\u00a0· ') || 'No preferences yet'
}
